import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { type AuditOptions, audit, fileSink, hashedValue, valueKey, verify } from "@suite/audit";
import { pii } from "@suite/pii";
import { call, scripted } from "../../packages/agent/test/support.js";

const MAIL = "jane.doe@example.com";
const CARD = "4111 1111 1111 1111";
const key = valueKey("a key for values, of this test alone");

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hashed-values-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** The log after a run in which the values were met in text, arguments, results and an error. */
async function logOf(options: Pick<AuditOptions, "valueKey" | "policy">): Promise<string> {
  const tools = [
    defineTool({ name: "find", execute: () => ({ owner: MAIL, [MAIL]: { card: Number(CARD.replaceAll(" ", "")) } }) }),
    defineTool({ name: "charge", execute: () => Promise.reject(new Error(`${CARD} was declined`)) }),
  ];
  const model = scripted([call("c1", "find", { mail: MAIL.toUpperCase() })], [call("c2", "charge")], "Sorry.");
  const plugins = [
    audit({ sink: fileSink({ dir }), policy: { content: "redacted" }, warn: () => {}, ...options }),
    pii({ email: "redact", credit_card: "mask" }),
  ];
  const agent = createAgent({ name: "desk", model, tools, plugins });
  await agent.run(`I am ${MAIL}.`);
  await agent.close();
  expect(await verify(dir)).toMatchObject({ ok: true });
  const [file = ""] = (await readdir(dir)).filter((name) => name.endsWith(".jsonl"));
  return readFile(join(dir, file), "utf8");
}

const count = (text: string, part: string): number => text.split(part).length - 1;

it.each(["redacted", "full"] as const)(
  "with a key, %s content holds what a search for a value finds, and no value",
  async (content) => {
    const log = await logOf({ valueKey: key, policy: { content } });
    for (const secret of [MAIL, MAIL.toUpperCase(), CARD, CARD.replaceAll(" ", "")]) expect(log).not.toContain(secret);
    // As text, as arguments in capitals, as a member and as its name; the card as a number and in the error.
    expect(count(log, hashedValue(key, MAIL))).toBeGreaterThanOrEqual(4);
    expect(count(log, hashedValue(key, CARD))).toBeGreaterThanOrEqual(2);
    expect(log).not.toContain("[REDACTED");
  },
);

it("without a key, what the redactor puts there stays", async () => {
  const log = await logOf({});
  expect(log).toContain("[REDACTED_EMAIL]");
  expect(log).not.toContain("hmac-sha256");
});
