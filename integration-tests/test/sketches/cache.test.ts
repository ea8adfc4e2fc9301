import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import {
  type Delta,
  definePlugin,
  MiddlewareTermination,
  type ModelRequest,
  message,
  override,
  type Plugin,
  stateKey,
  text,
} from "@suite/core";
import { call, codeOf, only, type Said, scripted, suspended } from "../../../packages/agent/test/support.js";
import { modes, resultOf, watchedAgent, watching } from "./watched.js";

type Answers = Map<string, readonly Delta[]>;

/** The key of a request: two that share it may share an answer. All counts but how the answer is asked for. */
const keyOf = ({ messages, tools, model, toolChoice, settings, outputSchema }: ModelRequest): string =>
  JSON.stringify([messages, tools.map(({ name }) => name), model, toolChoice, settings, outputSchema]);

/**
 * Answers what it has answered before, piece by piece as it came; written from the public contract alone. What a run has
 * heard is kept for others only when the run has completed: a guard of any level may still refuse it until then.
 */
function cache(answers: Answers): Plugin {
  const heard = stateKey("cache.heard", (): Answers => new Map(), {
    save: (all) => [...all],
    load: (all) => new Map(all as [string, readonly Delta[]][]),
  });
  return definePlugin({
    name: "cache",
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      const key = keyOf(request);
      const known = answers.get(key);
      if (known !== undefined) {
        runtime.notify({ type: "decision", plugin: "cache", decision: "hit", enforced: true, call });
        invocation.respond({
          stream: (async function* () {
            yield* known;
          })(),
        });
        return;
      }
      await callNext();
      const deltas: Delta[] = [];
      invocation.pipe({
        chunk(delta, emit) {
          deltas.push(delta);
          emit(delta);
        },
        settle({ status }) {
          if (status === "completed") runtime.get(heard).set(key, deltas);
        },
      });
    },
    end(runtime, { status }) {
      if (status === "completed") for (const [key, deltas] of runtime.get(heard)) answers.set(key, deltas);
    },
  });
}

const seen = watching();
const agentOf = (answers: Answers, said: readonly Said[], plugins: readonly Plugin[] = []) => {
  const model = scripted(...said);
  return { model, agent: watchedAgent(seen, { model, plugins: [...plugins, cache(answers)] }) };
};

const pieces = async (stream: AsyncIterable<string>): Promise<readonly string[]> => {
  const all: string[] = [];
  for await (const piece of stream) all.push(piece);
  return all;
};

describe("a cache of answers", () => {
  it("answers chunk by chunk what was streamed, and marks the hit on the span and in a record", async () => {
    const answers: Answers = new Map();
    const { agent, model } = agentOf(answers, ["Onions are bulbs."]);
    const first = await pieces(agent.stream("What?").text());
    expect(await pieces(agent.stream("What?").text())).toEqual(first);
    expect(first.length).toBeGreaterThan(1);
    expect(model.asked.length).toBe(1);
    expect(seen.decisionsOnSpans()).toEqual([["chat scripted-1", "cache", "hit", true]]);
    expect(seen.records.filter(({ type }) => type === "decision")).toMatchObject([{ decision: "hit" }]);
    const tokens = seen
      .spans()
      .filter(({ name }) => name.startsWith("chat"))
      .map(({ attributes }) => attributes["gen_ai.usage.input_tokens"]);
    expect(tokens).toEqual([10, undefined]);
  });

  it.each(modes)("answers what another mode was answered, and nothing is counted twice (%s)", async (mode) => {
    const answers: Answers = new Map();
    const { agent } = agentOf(answers, ["Onions are bulbs."]);
    const first = await resultOf(agent, "What?", mode === "run" ? "stream" : "run");
    const second = await resultOf(agent, "What?", mode);
    expect(first).toMatchObject({ usage: { inputTokens: 10, outputTokens: 5 } });
    expect(second).toMatchObject({ text: "Onions are bulbs.", messages: first.messages });
    expect(second.usage.inputTokens).toBe(0);
  });

  describe.each(["model", "reasoning", "agent"] as const)("under a guard of the kind %s", (kind) => {
    const blocks = (): Plugin => ({
      name: "guard",
      async [kind](
        invocation: { readonly result?: { final(): Promise<unknown> } },
        callNext: () => Promise<void>,
      ): Promise<void> {
        await callNext();
        const said = JSON.stringify(await invocation.result?.final());
        if (said.includes("secret")) throw new MiddlewareTermination("No secrets.");
      },
    });

    it.each(modes)("never keeps what it blocks (%s)", async (mode) => {
      const answers: Answers = new Map();
      const { agent, model } = agentOf(answers, ["a secret", "an onion"], [blocks()]);
      expect(await codeOf(resultOf(agent, "What?", mode))).toBe("ERR_MIDDLEWARE_TERMINATED");
      expect(answers.size).toBe(0);
      expect(await resultOf(agent, "What?", mode)).toMatchObject({ text: "an onion" });
      expect([answers.size, model.asked.length]).toEqual([1, 2]);
    });
  });

  it.each(modes)("keeps nothing of a run that fails, or that its reader left (%s)", async (mode) => {
    const answers: Answers = new Map();
    const { agent } = agentOf(answers, [[call("1", "none")], new Error("503"), "Onions are bulbs."]);
    await expect(resultOf(agent, "What?", mode)).rejects.toThrow("503");
    for await (const _ of agent.stream("What?").text()) break;
    expect(answers.size).toBe(0);
  });

  it.each(modes)("keeps what was said before a pause when the run ends after it (%s)", async (mode) => {
    const answers: Answers = new Map();
    const buy = defineTool({ name: "buy", needsApproval: true, execute: () => "bought" });
    const said: readonly Said[] = [[call("1", "buy")], "Done."];
    const agent = createAgent({ name: "a", model: scripted(...said), tools: [buy], plugins: [cache(answers)] });
    const pending = await suspended(resultOf(agent, "Buy.", mode));
    expect(answers.size).toBe(0);
    const done = await resultOf(agent, { pending, decisions: [approve(only(pending))] }, mode);
    expect(done).toMatchObject({ text: "Done." });
    expect(answers.size).toBe(2);
  });

  it("is asked again where a guard outside of it has changed the question", async () => {
    const answers: Answers = new Map();
    const asks = definePlugin({
      name: "polite",
      async model(invocation, callNext) {
        const { messages } = invocation.request;
        invocation.request = override(invocation.request, {
          messages: [...messages, message("user", [text("Please.")])],
        });
        await callNext();
      },
    });
    const { agent } = agentOf(answers, ["one"]);
    await agent.run("What?");
    const polite = agentOf(answers, ["two"], [asks]);
    expect(await polite.agent.run("What?")).toMatchObject({ text: "two" });
  });
});
