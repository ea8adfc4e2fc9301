import { describe, expect, it } from "@jest/globals";
import { type Message, message, type Plugin, toolCall } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { pii } from "@suite/pii";
import { call, everywhere, gone, mail, plugin, requestOf } from "./calls.js";

describe("a person", () => {
  const about = toolCall("1", "ask_person", { question: `who is ${mail}?` });
  const request = { question: `who is ${mail}?`, about };

  it("a person's question and answer contain no values", async () => {
    const { seen, final, notifications } = await call(plugin({ apply: everywhere }), "humanInput", request, {
      value: { approve: true, message: mail },
    });
    // The call that it is about is the tool's: its arguments are a place of their own.
    expect(seen).toEqual({ question: `who is ${gone}?`, about });
    expect(final).toEqual({ approve: true, message: gone });
    expect(notifications).toEqual([
      expect.objectContaining({ place: "human_input", findings: { email: 1 } }),
      expect.objectContaining({ place: "human_input", findings: { email: 1 } }),
    ]);
  });

  it("is not asked at all where a rule blocks the question", async () => {
    const { seen, error } = await call(plugin({ apply: everywhere }, { email: "block" }), "humanInput", request, {
      value: "x",
    });
    expect(seen).toBeUndefined();
    expect(error).toMatchObject({ code: "ERR_PII_BLOCKED", places: ["human_input"] });
  });

  it("a question passes unchanged without findings, and in monitor mode", async () => {
    const clean = { question: "yes?", about };
    expect((await call(plugin({ apply: everywhere }), "humanInput", clean, { value: 1 })).seen).toBe(clean);
    const watching = plugin({ apply: everywhere, mode: "monitor" });
    expect((await call(watching, "humanInput", request, { value: 1 })).seen).toBe(request);
  });
});

describe("a person who is asked about a call, with tokens", () => {
  /** The question that a person is asked about a call of this tool, where the model has put its token into the question. */
  async function asked(tool: string) {
    const own = pii(
      { email: "tokenize" },
      { apply: { humanInput: true }, restore: { tools: ["send_mail"] } },
    ) as Plugin;
    const stack = new PluginStack([own]);
    const run = stack.begin({ sessionId: "s" });
    let told: readonly Message[] = [];
    const model = await stack.call("model", run, requestOf(message("user", mail)), async (invocation) => {
      told = invocation.request.messages;
      invocation.respond({ value: { message: message("assistant", "ok") } });
    });
    await model.final();
    const token = /<EMAIL_1_[a-z]{8}>/.exec(JSON.stringify(told))?.[0] ?? "no token";
    let question = "";
    const ask = { question: `To ${token} or to ${mail}?`, about: toolCall("1", tool, {}) };
    const outcome = await stack.call("humanInput", run, ask, async (invocation) => {
      question = invocation.request.question;
      invocation.respond({ value: true });
    });
    await outcome.final();
    await run.end();
    return { question, token };
  }

  it("a question has values for tools that may receive them, and tokens for others", async () => {
    expect((await asked("send_mail")).question).toBe(`To ${mail} or to ${mail}?`);
    const { question, token } = await asked("look");
    expect(question).toBe(`To ${token} or to ${token}?`);
  });
});
