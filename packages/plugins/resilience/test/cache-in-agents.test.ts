import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import { MiddlewareTermination, type Plugin, type StateStore, textOf } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import { costBudget, modelCallLimit } from "@suite/limits";
import { pii } from "@suite/pii";
import { type CacheOptions, cache } from "@suite/resilience";
import { modes, resultOf, watchedAgent, watching } from "../../../../integration-tests/test/sketches/watched.js";
import { call, codeOf, only, type Said, scripted, suspended } from "../../../agent/test/support.js";

const seen = watching();
const known = (options: CacheOptions = {}): Plugin => cache({ tenant: "everyone", ...options });
const agentOf = (cached: Plugin, said: readonly Said[], plugins: readonly Plugin[] = []) => {
  const model = scripted(...said);
  return { model, agent: watchedAgent(seen, { model, plugins: [...plugins, cached] }) };
};

/** A store, and everything that was put into it or asked of it, as text. */
function watchedStore() {
  const store = memoryStateStore();
  const told: string[] = [];
  const hear = (given: unknown): void => void told.push(JSON.stringify(given));
  const watched: StateStore = {
    ...store,
    get: (key) => {
      hear(key);
      return store.get(key);
    },
    compareAndSet: (...given) => {
      hear(given);
      return store.compareAndSet(...given);
    },
  };
  return { store: watched, told: () => told.join("\n") };
}

describe("a cache of answers in an agent", () => {
  it.each(modes)("marks the hit on the span and in a record, and no token is counted (%s)", async (mode) => {
    const { agent, model } = agentOf(known(), ["Onions are bulbs."]);
    const first = await resultOf(agent, "What?", mode);
    const second = await resultOf(agent, "What?", mode);
    expect(model.asked).toHaveLength(1);
    expect(second).toMatchObject({ text: "Onions are bulbs.", messages: first.messages });
    expect([first.usage.inputTokens, second.usage.inputTokens]).toEqual([10, 0]);
    expect(seen.decisionsOnSpans()).toEqual([["chat scripted-1", "cache", "hit", true]]);
    expect(seen.records.filter(({ type }) => type === "decision")).toMatchObject([
      { decision: "hit", details: { facts: { inputTokensSaved: 10, outputTokensSaved: 5 } } },
    ]);
    const tokens = seen
      .spans()
      .filter(({ name }) => name.startsWith("chat"))
      .map(({ attributes }) => attributes["gen_ai.usage.input_tokens"]);
    expect(tokens).toEqual([10, undefined]);
  });

  it.each(modes)("answers what another mode was answered (%s)", async (mode) => {
    const { agent } = agentOf(known(), ["Onions are bulbs."]);
    const first = await resultOf(agent, "What?", mode === "run" ? "stream" : "run");
    expect(await resultOf(agent, "What?", mode)).toMatchObject({ text: "Onions are bulbs.", messages: first.messages });
  });

  it.each(modes)("answers each round of a run with tools, which run again (%s)", async (mode) => {
    let ran = 0;
    const find = defineTool({ name: "find", execute: () => `order ${++ran > 0}` });
    const model = scripted([call("1", "find")], "Found.");
    const agent = createAgent({ name: "a", model, tools: [find], plugins: [known()] });
    await resultOf(agent, "Where?", mode);
    expect(await resultOf(agent, "Where?", mode)).toMatchObject({ text: "Found." });
    expect([model.asked.length, ran]).toEqual([2, 2]);
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
      const { store, told } = watchedStore();
      const { agent, model } = agentOf(known({ store }), ["a secret", "an onion"], [blocks()]);
      expect(await codeOf(resultOf(agent, "What?", mode))).toBe("ERR_MIDDLEWARE_TERMINATED");
      expect(told()).not.toContain("secret");
      for (const _ of [1, 2]) expect(await resultOf(agent, "What?", mode)).toMatchObject({ text: "an onion" });
      expect(model.asked).toHaveLength(2);
    });
  });

  it.each(modes)("keeps nothing of a run that fails, or that its reader left (%s)", async (mode) => {
    const { store, told } = watchedStore();
    const { agent } = agentOf(known({ store }), [[call("1", "none")], new Error("503"), "Onions are bulbs."]);
    await expect(resultOf(agent, "What?", mode)).rejects.toThrow("503");
    for await (const _ of agent.stream("What?").text()) break;
    expect(told()).not.toContain("message");
  });

  it.each(modes)(
    "keeps what was said before a pause when the run ends after it, in another process too (%s)",
    async (mode) => {
      const { store, told } = watchedStore();
      const buy = defineTool({ name: "buy", needsApproval: true, execute: () => "bought" });
      const model = scripted([call("1", "buy")], "Done.");
      const agent = () =>
        createAgent({
          name: "a",
          model,
          tools: [buy],
          plugins: [known({ store })],
        });
      const pending = await suspended(resultOf(agent(), "Buy.", mode));
      expect(told()).not.toContain("message");
      const done = await resultOf(agent(), { pending, decisions: [approve(only(pending))] }, mode);
      expect(done).toMatchObject({ text: "Done." });
      await suspended(resultOf(agent(), "Buy.", mode));
      expect(model.asked).toHaveLength(2);
    },
  );

  it.each(modes)("is free for a budget and a limit that stand inside of it (%s)", async (mode) => {
    const prices = { "scripted-1": { input: 1000, output: 1000, maxOutputTokens: 10 } };
    const inner = [modelCallLimit({ threadLimit: 1 }), costBudget({ budget: 1000, prices })];
    const model = scripted("Onions are bulbs.");
    const agent = createAgent({ name: "a", model, plugins: [known(), ...inner] });
    for (const _ of [1, 2, 3]) {
      const asked =
        mode === "run" ? agent.run("What?", { sessionId: "s" }) : agent.stream("What?", { sessionId: "s" }).result;
      expect(await asked).toMatchObject({ text: "Onions are bulbs." });
    }
  });

  describe.each(["outside of it", "inside of it"])("with a guard that stands %s", (where) => {
    const guard = (strategy: "redact" | "tokenize") =>
      pii({ email: strategy }, { apply: { output: true, toolArguments: true, toolResults: true } });
    const run = async (strategy: "redact" | "tokenize", said: Said, mode: (typeof modes)[number]) => {
      const { store, told } = watchedStore();
      const model = scripted(said, said);
      const cached = known({ store });
      const plugins = where === "outside of it" ? [guard(strategy), cached] : [cached, guard(strategy)];
      const agent = createAgent({ name: "a", model, plugins });
      const answers = [];
      for (const _ of [1, 2]) {
        const done = await resultOf(agent, "I am jane@home.com.", mode);
        answers.push("text" in done ? done.text : done.status);
      }
      return { told: told(), asked: model.asked.length, answers: new Set(answers) };
    };

    it.each(modes)("has no personal data in its store, and answers alike (%s)", async (mode) => {
      const echo: Said = ({ messages }) => `You wrote: ${messages.map((each) => textOf(each)).join()}`;
      for (const strategy of ["redact", "tokenize"] as const) {
        for (const said of [echo, "Write to jane@work.com."]) {
          const { told, answers } = await run(strategy, said, mode);
          expect(told).not.toContain("jane@");
          expect(answers.size).toBe(1);
        }
      }
    });

    it.each(modes)("keeps what has none, where the guard is outside of it (%s)", async (mode) => {
      const { asked, answers } = await run("redact", "Onions are bulbs.", mode);
      expect(answers).toEqual(new Set(["Onions are bulbs."]));
      expect(asked).toBe(where === "outside of it" ? 1 : 2);
    });
  });
});
