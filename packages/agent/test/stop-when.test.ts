import { describe, expect, it } from "@jest/globals";
import { type AnsweredRound, approve, createAgent, defineTool } from "@suite/agent";
import { toolCallsOf } from "@suite/core";
import { call, codeOf, scripted, shown, suspended } from "./support.js";

const handIn = defineTool({ name: "hand_in", execute: () => "handed in" });
const look = defineTool({ name: "look", execute: () => "a bird" });
const handedIn = ({ message }: AnsweredRound) => toolCallsOf(message).some(({ name }) => name === "hand_in");

describe("a condition to stop", () => {
  const rounds = () =>
    scripted([call("1", "look")], [{ type: "text", content: "Here it is." }, call("2", "hand_in")], "never said");

  it.each([false, true])(
    "ends the run behind the calls of a round, which are answered (streamed: %s)",
    async (streamed) => {
      const model = rounds();
      const agent = createAgent({ name: "a", model, tools: [look, handIn], stopWhen: handedIn });
      const result = await (streamed ? agent.stream("go").result : agent.run("go"));
      expect(result).toMatchObject({ text: "Here it is.", finishReason: "stop_condition", rounds: 2 });
      expect(model.asked).toHaveLength(2);
      expect(shown({ messages: result.messages } as never)).toEqual(["handed in"]);
    },
  );

  it("is asked with each round, its calls, their responses and the history", async () => {
    const seen: unknown[] = [];
    const stopWhen = async ({ round, message, responses, messages }: AnsweredRound) => {
      const names = toolCallsOf(message).map(({ name }) => name);
      seen.push([round, names, responses.map(({ response }) => response), messages.length]);
      return false;
    };
    const model = scripted([call("1", "look"), call("2", "look")], [call("3", "hand_in")], "done");
    const result = await createAgent({ name: "a", model, tools: [look, handIn], stopWhen }).run("go");
    expect(result).toMatchObject({ text: "done", finishReason: "stop" });
    expect(seen).toEqual([
      [1, ["look", "look"], ["a bird", "a bird"], 3],
      [2, ["hand_in"], ["handed in"], 5],
    ]);
  });

  it("counts for calls that a person approved meanwhile", async () => {
    const tools = [{ ...handIn, needsApproval: true }];
    const agent = createAgent({ name: "a", model: scripted([call("1", "hand_in")]), tools, stopWhen: handedIn });
    const pending = await suspended(agent.run("go"));
    const result = await agent.run({ pending, decisions: pending.calls.map((each) => approve(each)) });
    expect(result).toMatchObject({ status: "completed", finishReason: "stop_condition" });
  });

  it("leaves the output out, where the agent has a schema: the model was not asked for it", async () => {
    const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
    const agent = createAgent({ name: "a", model: rounds(), tools: [look, handIn], outputSchema, stopWhen: handedIn });
    const result = await agent.run("go");
    expect(result).toMatchObject({ status: "completed", text: "Here it is." });
    expect(result).not.toHaveProperty("output");
  });

  it("that throws ends the run with its own error", async () => {
    const error = new RangeError("no");
    const stopWhen = () => {
      throw error;
    };
    expect(await codeOf(createAgent({ name: "a", model: rounds(), tools: [look], stopWhen }).run("go"))).toBe(error);
  });

  it("is a function", () => {
    const options = { name: "a", model: rounds(), stopWhen: 3 as never };
    expect(() => createAgent(options)).toThrow(expect.objectContaining({ code: "ERR_AGENT_OPTIONS" }));
  });
});
