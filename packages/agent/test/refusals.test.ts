import { describe, expect, it } from "@jest/globals";
import { type AgentInput, createAgent, type Model } from "@suite/agent";
import type { Delta, Reply } from "@suite/core";
import { codeOf, scripted } from "./support.js";

const agentOf = (model: Model) => createAgent({ name: "a", model });
const part = { type: "text", content: "x" };

describe("an input that is none", () => {
  const none: readonly unknown[] = [
    undefined,
    null,
    5,
    {},
    [undefined],
    { role: "user" },
    { role: "user", parts: "x" },
    [{ role: "user", parts: [{}] }],
    [{ role: "user", parts: [{ type: "text" }] }],
  ];

  it.each(none)("is refused with what to give: %j", async (input) => {
    const model = scripted("x");
    const agent = agentOf(model);
    expect(await codeOf(agent.run(input as AgentInput))).toBe("ERR_AGENT_INPUT");
    expect(await codeOf(agent.stream(input as AgentInput).result)).toBe("ERR_AGENT_INPUT");
    expect(model.asked).toHaveLength(0);
  });

  it.each([{ pending: undefined }, { pending: null, decisions: undefined }])(
    "is no pending state: %j",
    async (input) => {
      expect(await codeOf(agentOf(scripted("x")).run(input as never))).toBe("ERR_AGENT_PENDING_INVALID");
    },
  );

  it("is refused of createAgent", () => {
    expect(() => createAgent(undefined as never)).toThrow(expect.objectContaining({ code: "ERR_AGENT_OPTIONS" }));
  });
});

describe("an answer of a model that is none", () => {
  const replies: readonly unknown[] = [
    undefined,
    null,
    "x",
    {},
    { message: {} },
    { message: { role: "assistant", parts: "x" } },
    { message: { role: "assistant", parts: [undefined] } },
    { message: { role: "assistant", parts: [{ type: "tool_call", name: "f" }] } },
  ];
  it.each(replies)("is refused, and the model named: %j", async (reply) => {
    const model: Model = { ...scripted(), name: "mine", generate: async () => reply as Reply };
    await expect(agentOf(model).run("go")).rejects.toMatchObject({
      code: "ERR_AGENT_MODEL_ANSWER",
      message: expect.stringMatching(/^The client of model mine /),
    });
  });

  it("may come without a promise", async () => {
    const generate = () => ({ message: { role: "assistant", parts: [part] } }) as never;
    expect(await agentOf({ ...scripted(), generate }).run("go")).toMatchObject({ text: "x" });
  });

  const deltas: readonly unknown[] = [
    undefined,
    null,
    "x",
    {},
    { type: "text" },
    { type: "part" },
    { type: "part", at: "0" },
    { type: "part", part },
    { type: "part", at: "0", part: { type: "text" } },
    { type: "arguments", at: "0" },
    { type: "part_end" },
  ];
  it.each(deltas)("is refused in a stream, and the model named: %j", async (delta) => {
    const closed: boolean[] = [];
    const model: Model = {
      ...scripted(),
      name: "mine",
      async *stream() {
        try {
          yield { type: "part", at: "t", part } as Delta;
          yield delta as Delta;
        } finally {
          closed.push(true);
        }
      },
    };
    const stream = agentOf(model).stream("go");
    await expect(stream.result).rejects.toMatchObject({
      code: "ERR_AGENT_MODEL_ANSWER",
      message: expect.stringMatching(/^The client of model mine /),
    });
    expect(closed).toEqual([true]);
  });

  it("is refused where there is no stream at all", async () => {
    const model = { ...scripted(), stream: () => undefined as never };
    expect(await codeOf(agentOf(model).stream("go").result)).toBe("ERR_AGENT_MODEL_ANSWER");
  });
});
