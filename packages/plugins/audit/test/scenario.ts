import { afterAll } from "@jest/globals";
import { type Kind, message, type Plugin, type Redactor, type Request } from "@suite/core";
import { type CallCore, PluginStack, type RunOptions } from "@suite/core/adapter";
import { type AuditOptions, type AuditRecord, audit, fileSink } from "../src/index.js";
import { recordsOf, temporaryDirectory } from "./support.js";

export const EMAIL = "jane.doe@example.com";
export const CARD = 4111111111111111;

const redact = (text: string) => text.replaceAll(/[a-z.]+@[a-z.]+[a-z]|\d{13,19}/g, "[REDACTED]");
const deep = (value: unknown): unknown => {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(deep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, deep(member)]));
};
/** Knows one address and long numbers. Names of members are left to whoever uses it. */
export const redactor: Redactor = { redact, value: deep };

export const modelRequest = {
  model: "gpt-5",
  provider: "openai",
  messages: [message("user", `write to ${EMAIL}`)],
  tools: [],
};
export const toolRequest = { id: "call_1", tool: { name: "refund" }, input: { to: EMAIL, [EMAIL]: 1, card: CARD } };
export const reply = { message: message("assistant", `wrote to ${EMAIL}`), usage: { inputTokens: 1, outputTokens: 2 } };

const stacks: PluginStack[] = [];
afterAll(() => Promise.allSettled(stacks.map((stack) => stack.close())));

/**
 * A stack with an audit plugin that writes to a directory of its own. It waits for a disk as long as a busy machine may
 * take: a test of the limit sets its own.
 */
export async function scenario(options: AuditOptions = {}, others: { before?: Plugin[]; after?: Plugin[] } = {}) {
  const dir = await temporaryDirectory();
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const plugin = audit({ sink: fileSink({ dir }), warn, timeoutMs: 20_000, ...options });
  const stack = new PluginStack([...(others.before ?? []), plugin, ...(others.after ?? [])]);
  stacks.push(stack);
  const begin = (given: RunOptions = {}) =>
    stack.begin({ agent: { name: "support", id: "agent-7" }, sessionId: "s-1", userId: "u-1", ...given });
  return {
    dir,
    stack,
    begin,
    warnings,
    /** One call in a run of its own; its outcome is read to the end, and nothing is thrown. */
    async act<K extends Kind>(kind: K, request: Request<K>, core: CallCore<K>, given: RunOptions = {}) {
      const run = begin(given);
      try {
        return await (await stack.call(kind, run, request, core)).final();
      } catch (error) {
        return error;
      } finally {
        await run.end();
      }
    },
    /** The records of acts: without the opening record, and the policy that is in force (see in-force.test). */
    async records(): Promise<AuditRecord[]> {
      await stack.close();
      return actsAmong((await recordsOf(dir)) as unknown as AuditRecord[]);
    },
  };
}

export const brief = ({ type, stage, outcome }: AuditRecord) => `${type} ${outcome?.status ?? stage}`;

/** The records that are neither the log's own nor of the policy in force. */
export const actsAmong = (records: readonly AuditRecord[]): AuditRecord[] =>
  records.slice(1).filter(({ type }) => type !== "policy");
