import { describe, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { type Plugin, textOf } from "@suite/core";
import { afterAgent } from "@suite/core/hooks";
import { call, scripted, shown } from "./support.js";

const look = defineTool({ name: "look", execute: () => "seen" });
const says = (content: string) => ({
  message: { role: "assistant" as const, parts: [{ type: "text" as const, content }] },
});

describe.each([false, true])(
  "a final answer that a layer gives in place of the model's (streamed: %s)",
  (streaming) => {
    const run = (agent: ReturnType<typeof createAgent>) => (streaming ? agent.stream("go").result : agent.run("go"));

    it("is the message in the history, next to the other text", async () => {
      const shout = afterAgent((reply) => ({ reply: says(textOf(reply.message).toUpperCase()) }), { canChange: true });
      const model = scripted(
        [call("1", "look")],
        [
          { type: "reasoning", content: "hm" },
          { type: "text", content: "found it" },
        ],
      );
      const done = await run(createAgent({ name: "a", model, tools: [look], plugins: [shout] }));
      expect(done).toMatchObject({ text: "FOUND IT" });
      expect(done.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
      expect(done.messages.at(-1)?.parts).toEqual([
        { type: "reasoning", content: "hm" },
        { type: "text", content: "FOUND IT" },
      ]);
    });

    it("is what the history has of the last round's text, too, where its calls were not run", async () => {
      const shout = afterAgent(() => ({ reply: says("ENOUGH") }), { canChange: true });
      const model = scripted([{ type: "text", content: "I look" }, call("1", "look")]);
      const done = await run(createAgent({ name: "a", model, tools: [look], maxRounds: 1, plugins: [shout] }));
      expect(done).toMatchObject({ text: "ENOUGH", finishReason: undefined });
      expect(done.messages.map((each) => textOf(each))).toEqual(["go", "ENOUGH", ""]);
      expect(done.messages.at(1)?.parts).toHaveLength(2); // the call is there still
    });

    it("is not changed by a stage that only serves the reader, such as restored values", async () => {
      const restores: Plugin = {
        name: "restores",
        async agent(c, next) {
          await next();
          c.pipe({
            chunk: (delta, emit) =>
              emit(
                delta.type === "part" && delta.part.type === "text"
                  ? { ...delta, part: { ...delta.part, content: delta.part.content.replace("X", "Ann") } }
                  : delta,
              ),
          });
        },
      };
      const reads: Plugin = {
        name: "reads",
        async agent(c, next) {
          await next();
          await c.result?.final();
        },
      };
      const done = await run(createAgent({ name: "a", model: scripted("Hi X"), plugins: [reads, restores] }));
      expect([
        done.status === "completed" && done.text,
        textOf(done.messages.at(-1) ?? { role: "tool", parts: [] }),
      ]).toEqual(["Hi Ann", "Hi X"]);
    });
  },
);

describe("an agent of one round", () => {
  it("is asked to call no tool, and told so", async () => {
    const model = scripted("ok");
    await createAgent({ name: "a", model, tools: [look], maxRounds: 1 }).run("go");
    expect(model.asked[0]).toMatchObject({ toolChoice: "none", messages: [{ role: "system" }, { role: "user" }] });
    expect(shown(model.asked[0])).toEqual(["go"]);
  });

  it.each(["required", { name: "look" }] as const)("is asked for the call that is demanded: %j", async (toolChoice) => {
    const model = scripted([call("1", "look")]);
    const done = await createAgent({ name: "a", model, tools: [look], maxRounds: 1, toolChoice }).run("go");
    expect([model.asked[0]?.toolChoice, done]).toMatchObject([toolChoice, { finishReason: "max_rounds" }]);
  });
});
