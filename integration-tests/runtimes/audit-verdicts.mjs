// What every runtime is asked of @suite/audit/verify: the verdicts of a log that was once written, and of what was made of it.

/** @param {string[]} all */
const lines = (...all) => all.map((line) => `${line}\n`).join("");

const first = "audit-2026-11-22T00-55-44-997Z-6f8143257997e09a.jsonl";
const second = "audit-2026-11-22T00-55-45-000Z-7a799ef483a37312.jsonl";

const log = {
  [first]: lines(
    '{"heads":[],"id":"403027e2-b4fb-4a14-b857-75441aca4705","operation":"open","origin":"example.com/runtimes/audit-2026-11-22T00-55-44-997Z-6f8143257997e09a","stage":"outcome","time":"2026-11-22T00:55:44.997Z","type":"log","version":1}',
    '{"by":"first","operation":"refund","order":42,"type":"tool"}',
    JSON.stringify(
      "example.com/runtimes/audit-2026-11-22T00-55-44-997Z-6f8143257997e09a\n2\nEMZl6QML5I3r50vKT/HWZvFtBVVuDxPPcq92y7T5f3c=\ncommit 1\n\n— example.com/runtimes/audit-2026-11-22T00-55-44-997Z-6f8143257997e09a LR3cfb9V7TXzI+CnBWqCST3Cg4v68He5Qr90E76AU5TfHKquRig3pnOTuzetKnVv1hjGgSLzauVZHLOUr+2BNnt0PQo=\n",
    ),
    '{"operation":"mail","to":"Zoë","type":"tool"}',
    '{"tokens":1e+21,"type":"model"}',
    JSON.stringify(
      "example.com/runtimes/audit-2026-11-22T00-55-44-997Z-6f8143257997e09a\n4\nJEO+oGw+ezgFP8FQEnJrgSKuGMNwKTjGALiaWPTrAqk=\ncommit 2\n\n— example.com/runtimes/audit-2026-11-22T00-55-44-997Z-6f8143257997e09a LR3cfdIX0UZogxETdtAnJH1kC8yIRRLgmCHc9FD6TsYVs1QzwGYqcNxLKhka2xa0Qc77KM4Y4Zyhl4ggwNyJ7EdThwk=\n",
    ),
    JSON.stringify(
      "example.com/runtimes/audit-2026-11-22T00-55-44-997Z-6f8143257997e09a\n4\nJEO+oGw+ezgFP8FQEnJrgSKuGMNwKTjGALiaWPTrAqk=\ncommit 3\n\n— example.com/runtimes/audit-2026-11-22T00-55-44-997Z-6f8143257997e09a LR3cfY2ix4bijEERhPySRjh51cINYYNx8RH1eIjQFTdtzFLub2apRQuRBVBwa9ShvtZHWvZSikRDJkzV2DDqIPMzPw4=\n",
    ),
  ),
  [second]: lines(
    '{"heads":[{"file":"audit-2026-11-22T00-55-44-997Z-6f8143257997e09a.jsonl","root":"JEO+oGw+ezgFP8FQEnJrgSKuGMNwKTjGALiaWPTrAqk=","size":4}],"id":"03e15900-e2d9-4cf7-bf08-89d0ea4d264b","operation":"open","origin":"example.com/runtimes/audit-2026-11-22T00-55-45-000Z-7a799ef483a37312","stage":"outcome","time":"2026-11-22T00:55:45.000Z","type":"log","version":1}',
    '{"by":"second","operation":"refund","order":42,"type":"tool"}',
    JSON.stringify(
      "example.com/runtimes/audit-2026-11-22T00-55-45-000Z-7a799ef483a37312\n2\n/gwQnDW5njTfWcWR8648nGTwnI1Fo2p22B9XKkehz5A=\ncommit 1\n\n— example.com/runtimes/audit-2026-11-22T00-55-45-000Z-7a799ef483a37312 v+vCkrAzpHM38AMAawgs9JK7CIfEcHJArwyii8c7XTdR6y+06EA75DxB9J66jAhZ4WZov3EfMiJN3Z+bhJRiAvPj8A8=\n",
    ),
    '{"operation":"mail","to":"Zoë","type":"tool"}',
    '{"tokens":1e+21,"type":"model"}',
    JSON.stringify(
      "example.com/runtimes/audit-2026-11-22T00-55-45-000Z-7a799ef483a37312\n4\nMkwsyiaB1k3yloQtY9pGp9DPxZNX1uDyPKrZ8ebx2Sg=\ncommit 2\n\n— example.com/runtimes/audit-2026-11-22T00-55-45-000Z-7a799ef483a37312 v+vCklYYe8aGxv7dVoRYJ8n4FtoF+xBL7YL54exM2RpWWqLq4P9OvgO5D4M8rdw+HqJ6ZBCqilq64kUpobWae+IzhQU=\n",
    ),
    JSON.stringify(
      "example.com/runtimes/audit-2026-11-22T00-55-45-000Z-7a799ef483a37312\n4\nMkwsyiaB1k3yloQtY9pGp9DPxZNX1uDyPKrZ8ebx2Sg=\ncommit 3\n\n— example.com/runtimes/audit-2026-11-22T00-55-45-000Z-7a799ef483a37312 v+vCkjS/91j76Cq5z7VnjCCvePDC3mbVAAfeatyXjQBgUgnwKhQXchok5WdNMvvC0mFVdTa6VDqHf31Fy4ohyMTjeQY=\n",
    ),
  ),
  "key.pub": lines("example.com/runtimes+0b3c07d6+Ab6M3ekwcyLnum3YVYMK8nfeAVJDiXQjCSGE9UcBlVEY"),
};

/** The verdicts that `auditVerdicts` gives where all is well. */
export const expectedVerdicts = {
  healthy: "ok self 8",
  "with its key": "ok key 8",
  "with an anchor": "ok anchor 8",
  "a changed record": `record_altered ${first} 0`,
  "a changed signature": `checkpoint_altered ${first} 2`,
  "a file that is gone": `file_missing ${first}`,
  "records that are cut off": "ok self 6",
  "the same, with an anchor": `file_shortened ${second}`,
};

/** @param {Pick<typeof import("@suite/audit/verify"), "verifyFiles">} audit */
export async function auditVerdicts({ verifyFiles }) {
  const key = log["key.pub"];
  const written = log[second].split("\n");
  const anchor = JSON.parse(written.at(-2) ?? "");
  /** @param {Record<string, string>} changes @param {import("@suite/audit/verify").VerifyOptions} [options] */
  const verdictOf = async (changes, options) => {
    const files = Object.entries({ ...log, ...changes }).filter(([, text]) => text !== "");
    const given = files.map(([name, text]) => ({ name, bytes: new Blob([text]) }));
    const { ok, attestation, size, problems } = await verifyFiles(given, options);
    return ok ? `ok ${attestation} ${size}` : problems.map(told).join(", ");
  };
  const cutOff = { [second]: lines(...written.slice(0, 3)) };
  return {
    healthy: await verdictOf({}),
    "with its key": await verdictOf({ "key.pub": "" }, { key }),
    "with an anchor": await verdictOf({}, { anchor }),
    "a changed record": await verdictOf({ [first]: log[first].replace('"order":42', '"order":43') }),
    "a changed signature": await verdictOf({ [first]: log[first].replace("AU5TfHKqu", "AU5TfHKqv") }),
    "a file that is gone": await verdictOf({ [first]: "" }),
    "records that are cut off": await verdictOf(cutOff),
    "the same, with an anchor": await verdictOf(cutOff, { anchor }),
  };
}

/** @param {import("@suite/audit/verify").Problem} problem */
const told = ({ kind, file, index, line, doubt }) =>
  [kind, file, index ?? (line === undefined ? undefined : line - 1), doubt && "in doubt"]
    .filter((part) => part !== undefined)
    .join(" ");
