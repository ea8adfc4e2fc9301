import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import type { AuditRecord, JsonObject } from "../../src/index.js";
import { decryptContent, fileSink, memorySubjectKeys, subjectKid, verify } from "../../src/index.js";
import { seal } from "../../src/subjects/sealed.js";
import { actsAmong, EMAIL, modelRequest, reply, scenario, toolRequest } from "../scenario.js";
import { logFiles, recordsOf, temporaryDirectory } from "../support.js";

const full = { content: "full" } as const;
const record: AuditRecord = {
  version: 1,
  id: "6f1c0e1a-8a57-4b53-9d2b-0c6b8f0a1b2c",
  time: "2026-01-02T03:04:05.678Z",
  stage: "outcome",
  type: "tool",
  operation: "execute_tool",
  actor: { agent: "support", onBehalfOf: "u-1" },
  outcome: { status: "failed", error: { type: "Error", message: "no such address" } },
  content: { to: EMAIL },
};

/** A scenario of one user whose tool fails and whose model answers, with its own keys. */
async function encrypted(userId = "user-jane") {
  const keys = memorySubjectKeys();
  const dir = await temporaryDirectory();
  const run = await scenario({ sink: fileSink({ dir }), subjects: keys, policy: full });
  await run.act("model", modelRequest, async (model) => model.respond({ value: reply }), { userId });
  await run.act(
    "tool",
    toolRequest,
    async () => {
      throw new RangeError(`no account of ${EMAIL}`);
    },
    { userId },
  );
  await run.stack.close();
  const [file = ""] = await logFiles(dir);
  const stored = await readFile(join(dir, file), "utf8");
  return { keys, dir, stored, records: actsAmong((await recordsOf(dir)) as unknown as AuditRecord[]) };
}

describe("a log with subjects", () => {
  it("holds nothing of what was said, of error messages, and of who the user is", async () => {
    const { stored, records } = await encrypted();
    expect(records.map(({ type, stage }) => `${type} ${stage}`)).toHaveLength(4);
    for (const secret of [EMAIL, "user-jane", "no account", "write to"]) expect(stored).not.toContain(secret);
  });

  it("is read with the key: content, messages and the user's id are as they were", async () => {
    const { keys, records } = await encrypted();
    const clear = await Promise.all(records.map((each) => decryptContent(each, keys)));
    expect(clear.map(({ actor }) => actor?.onBehalfOf)).toEqual(Array(4).fill("user-jane"));
    expect(clear[0]?.content).toMatchObject({ messages: [{ parts: [{ content: `write to ${EMAIL}` }] }] });
    expect(clear[2]?.content).toMatchObject({ to: EMAIL });
    expect(clear[3]?.outcome?.error).toEqual({ type: "RangeError", message: `no account of ${EMAIL}` });
    expect(clear[3]).not.toHaveProperty("content");
  });

  it("names the user by the id of the key", async () => {
    const { keys, records } = await encrypted();
    const kid = subjectKid(await keys.keyOf("user-jane"));
    expect(new Set(records.map(({ actor }) => actor?.onBehalfOf))).toEqual(new Set([kid]));
  });

  it("verifies after the key is gone, and its records stay encrypted", async () => {
    const { keys, dir, records } = await encrypted();
    await keys.erase("user-jane");
    expect(await verify(dir)).toMatchObject({ ok: true, size: 6 });
    expect(await Promise.all(records.map((each) => decryptContent(each, keys)))).toEqual(records);
  });

  it("writes records without a subject in plain text", async () => {
    const { stored } = await encrypted("");
    expect(stored).toContain(EMAIL);
  });

  it("calls a custom function for the subject of the content", async () => {
    const keys = memorySubjectKeys();
    const { act, records } = await scenario({ subjects: keys, subjectOf: ({ sessionId }) => sessionId, policy: full });
    await act("model", modelRequest, async (model) => model.respond({ value: reply }), { sessionId: "s-9" });
    const kid = subjectKid(await keys.keyOf("s-9"));
    expect((await records()).map(({ content }) => (content as { encrypted: JsonObject }).encrypted.kid)).toEqual([
      kid,
      kid,
    ]);
  });
});

describe("a key that cannot be had", () => {
  const broken = { ...memorySubjectKeys(), keyOf: () => Promise.reject(new Error("no key store")) };

  it("is a record that cannot be written: a required act does not run", async () => {
    const { act } = await scenario({ subjects: broken, timeoutMs: 500 });
    let ran = false;
    const error = await act("tool", toolRequest, async (tool) => {
      ran = true;
      tool.respond({ value: 1 });
    });
    expect(error).toMatchObject({ code: "ERR_AUDIT_UNAVAILABLE", cause: { message: "no key store" } });
    expect(ran).toBe(false);
  });

  it("lets buffered acts run, and writes nothing in clear", async () => {
    const { act, stack, dir } = await scenario({
      subjects: broken,
      policy: { ...full, delivery: "buffered" },
      timeoutMs: 500,
    });
    expect(await act("model", modelRequest, async (model) => model.respond({ value: reply }))).toEqual(reply);
    await expect(stack.close()).rejects.toMatchObject({ code: "ERR_AUDIT_UNAVAILABLE" });
    // The policy in force is of nobody, and needs no key.
    expect(actsAmong((await recordsOf(dir)) as unknown as AuditRecord[])).toEqual([]);
  });

  it("counts as lost if its owner is unknown", async () => {
    const thrower = () => {
      throw new Error("whose?");
    };
    const { act, records } = await scenario({ subjects: memorySubjectKeys(), subjectOf: thrower });
    const error = await act("tool", toolRequest, async (tool) => tool.respond({ value: 1 }));
    expect(error).toMatchObject({ code: "ERR_AUDIT_UNAVAILABLE", cause: { code: "ERR_AUDIT_INVALID_RECORD" } });
    expect((await records()).map(({ type }) => type)).toEqual(["gap"]);
  });
});

describe("encrypted content", () => {
  const keys = memorySubjectKeys();
  const sealed = async (from = record) => seal(from, await keys.keyOf("u-1"));

  it("comes back whole, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string({ unit: "binary-ascii" }), async (value, onBehalfOf) => {
        const content = JSON.parse(JSON.stringify(value)) as AuditRecord["content"] & {};
        const before = { ...record, actor: { onBehalfOf }, content };
        expect(await decryptContent(await sealed(before), keys)).toEqual(before);
      }),
      { numRuns: runs(50) },
    );
  });

  it.each([
    ["another record", { id: "00000000-0000-4000-8000-000000000000" }],
    ["another stage", { stage: "intent" }],
    ["another type", { type: "model" }],
  ] as const)("does not open in %s", async (_, changed) => {
    const moved = { ...(await sealed()), ...changed };
    await expect(decryptContent(moved, keys)).rejects.toMatchObject({ code: "ERR_AUDIT_DECRYPTION_FAILED" });
  });

  it.each(["iv", "ciphertext"])("does not open with a changed %s, or without it", async (member) => {
    const { content, ...rest } = await sealed();
    const { encrypted: stored } = content as { encrypted: Record<string, string> };
    const text = stored[member] ?? "";
    for (const changed of [`${text[0] === "A" ? "B" : "A"}${text.slice(1)}`, ""]) {
      const broken = { ...rest, content: { encrypted: { ...stored, [member]: changed } } };
      await expect(decryptContent(broken, keys)).rejects.toMatchObject({ code: "ERR_AUDIT_DECRYPTION_FAILED" });
    }
  });

  it("never has a nonce twice", async () => {
    const ivs = await Promise.all(Array.from({ length: 200 }, async () => JSON.stringify((await sealed()).content)));
    expect(new Set(ivs.map((text) => JSON.parse(text).encrypted.iv)).size).toBe(200);
  });

  it("that is too long for a record is left out with its size, and the rest is kept", async () => {
    const { outcome, actor, content } = await decryptContent(
      await sealed({ ...record, content: "x".repeat(60_000) }),
      keys,
    );
    expect(content).toEqual({ leftOut: { bytes: 60_002, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect({ outcome, actor }).toEqual({ outcome: record.outcome, actor: record.actor });
  });
});
