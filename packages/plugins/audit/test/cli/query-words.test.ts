import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { help } from "../../src/cli/help.js";
import { decisionWords, recordTypes } from "../../src/cli/words.js";
import { fileSink, fileSubjectKeys, openLog } from "../../src/index.js";
import { acts } from "../../src/plugin/acts.js";
import { noticeTypes } from "../../src/record/notice-types.js";
import { scenario, toolRequest } from "../scenario.js";
import { temporaryDirectory } from "../support.js";
import { run, runHere } from "./run.js";

let [dir, keys, cache] = ["", "", ""];
beforeEach(async () => {
  [dir, keys, cache] = [await temporaryDirectory(), await temporaryDirectory(), await temporaryDirectory()];
  process.env.XDG_CACHE_HOME = cache;
});

/** Writes the records of one tool call for each user. */
async function logOf(users: readonly string[], encrypted: boolean): Promise<void> {
  for (const userId of users) {
    const subjects = encrypted ? { subjects: fileSubjectKeys({ dir: keys }) } : {};
    const one = await scenario({ sink: fileSink({ dir }), ...subjects, policy: { content: "full" } });
    await one.act("tool", toolRequest, async (tool) => tool.respond({ value: "done" }), { userId });
    await one.stack.close();
  }
}

const query = (...options: string[]) => run(["query", dir, ...options], { cache });
/** A query that prints no record: it runs in this process. */
const fruitless = (...options: string[]) => runHere(["query", dir, ...options]);
const lines = (text: string): number => text.split("\n").filter(Boolean).length;

describe("suite-audit query --actor", () => {
  it("finds an encrypted user, and no other, if it has the keys", async () => {
    await logOf(["ada", "bob"], true);
    const { code, out, err } = await query("--actor", "ada", "--keys", keys, "--json");
    expect({ code, err, found: lines(out) }).toEqual({ code: 0, err: "", found: 2 });
    expect(out).toContain('"onBehalfOf":"ada"');
    expect(out).not.toContain("bob");
  });

  it("reports that users are encrypted if it has no keys: nothing that it found is an answer", async () => {
    await logOf(["ada"], true);
    const { code, out, err } = await fruitless("--actor", "ada");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^Users are encrypted in this log: --actor finds a user only with --keys KEYS\./);
  });

  it("reports that there is no key of a user who has none, and makes none", async () => {
    await logOf(["ada"], true);
    const { code, err } = await fruitless("--actor", "carol", "--keys", keys);
    expect([code, err]).toEqual([
      0,
      "KEYS contains no key of this user: no records exist, or the key was erased.\nNo record was found. The log has no match for --actor.\n",
    ]);
    expect(await runHere(["erase", dir, "--keys", keys, "--subject", "carol"])).toMatchObject({ code: 1 });
  });

  it("finds a user in clear without keys", async () => {
    await logOf(["ada", "bob"], false);
    const { code, out, err } = await query("--actor", "ada", "--json");
    expect({ code, err, found: lines(out) }).toEqual({ code: 0, err: "", found: 2 });
  });
});

describe("suite-audit export --actor", () => {
  it("exports an encrypted user as it is stored, if it has the keys, and refuses without", async () => {
    await logOf(["ada", "bob"], true);
    const out = join(await temporaryDirectory(), "ada.jsonl");
    const given = ["export", dir, "--jsonl", "--actor", "ada", "--out", out];
    expect(await runHere(given)).toMatchObject({ code: 2, err: expect.stringContaining("Users are encrypted") });
    await expect(access(out)).rejects.toThrow("ENOENT");
    expect(await runHere([...given, "--keys", keys])).toMatchObject({ code: 0 });
    const text = await readFile(out, "utf8");
    expect(lines(text)).toBe(2);
    expect(text).toContain("ciphertext");
  });
});

describe("a filter by a word", () => {
  it.each([
    ["--type", "tol", recordTypes],
    ["--decision", "deny", decisionWords],
  ])("%s %s is refused with the known words: nothing could match", async (option, word, words) => {
    await logOf(["ada"], false);
    for (const command of [["query"], ["export", "--jsonl"]]) {
      const [name = "", ...more] = command;
      const { code, out, err } = await runHere([name, dir, ...more, option, word]);
      expect([code, out]).toEqual([2, ""]);
      expect(err.split("\n")[0]).toBe(
        `No record of this log has the ${option.slice(2)} "${word}". Known ${option.slice(2)}s: ${words.join(", ")}.`,
      );
    }
  });

  it("finds a type that only a record of the user's own has", async () => {
    const log = await openLog({ dir });
    await log.append({ type: "deployment", version: "1.4.2" });
    await log.close();
    const { code, out } = await query("--type", "deployment");
    expect([code, lines(out)]).toEqual([0, 1]);
  });

  it("finds nothing for a known word without a record, and reports that no record has it", async () => {
    await logOf(["ada"], false);
    expect(await fruitless("--decision", "block", "--type", "tool")).toEqual({
      code: 0,
      out: "",
      err: "No record was found. The log has no match for --decision.\n",
    });
    expect((await fruitless("--operation", "chta", "--run", "no")).err).toBe(
      "No record was found. The log has no match for --run, --operation.\n",
    );
  });

  it("is listed in the help, as are all types that records have", () => {
    for (const word of [...recordTypes, ...decisionWords]) expect(help.query).toContain(word);
    for (const { type } of Object.values(acts)) expect(recordTypes).toContain(type);
    expect(recordTypes).toEqual(expect.arrayContaining([...noticeTypes]));
  });
});

it("the README filters by words that exist", async () => {
  const readme = await readFile(join(import.meta.dirname, "..", "..", "README.md"), "utf8");
  const guide = await readFile(join(import.meta.dirname, "..", "..", "..", "..", "..", "docs", "audit.md"), "utf8");
  const used = [...`${readme}${guide}`.matchAll(/--(type|decision) ([a-z_]+)/g)];
  expect(used.length).toBeGreaterThan(3);
  for (const [, option, word] of used) expect(option === "type" ? recordTypes : decisionWords).toContain(word);
});
