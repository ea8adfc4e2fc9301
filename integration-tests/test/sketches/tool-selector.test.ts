import { describe, expect, it } from "@jest/globals";
import { approve, defineTool } from "@suite/agent";
import { definePlugin, message, override, type Plugin, stateKey, textOf } from "@suite/core";
import { call, only, type Said, scripted, shown, suspended } from "../../../packages/agent/test/support.js";
import { type Mode, modes, resultOf, watchedAgent, watching } from "./watched.js";

const listOf = (text: string): readonly string[] | undefined => {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : undefined;
  } catch {
    return undefined;
  }
};

/** Lets a model choose the tools of a run; where it chooses badly, all of them are offered. From the public contract alone. */
function toolSelector(options: { readonly model?: string } = {}): Plugin {
  const chosen = stateKey<readonly string[] | undefined>("selector", () => undefined, {
    save: (names) => names ?? null,
    load: (stored) => (stored as readonly string[] | null) ?? undefined,
  });
  return definePlugin({
    name: "selector",
    async reasoning(invocation, callNext) {
      const { request, runtime, call } = invocation;
      const all = request.tools.map(({ name }) => name);
      if (runtime.get(chosen) === undefined && runtime.ask !== undefined) {
        const choosing = message("user", `Which of these tools are needed? ${JSON.stringify(all)}`);
        const names = await runtime
          .ask({ messages: [...request.messages, choosing] }, { parent: call, purpose: "select_tools", ...options })
          .then(({ message: { parts } }) => listOf(textOf(parts)))
          .catch(() => undefined);
        runtime.signal.throwIfAborted();
        const known = names?.every((name) => all.includes(name)) ? names : undefined;
        runtime.set(chosen, known ?? all);
        runtime.notify({
          type: "decision",
          plugin: "selector",
          decision: known === undefined ? "fallback" : "selected",
          enforced: true,
          call,
          details: { offered: all.length, chosen: (known ?? all).length },
        });
      }
      const names = runtime.get(chosen) ?? all;
      invocation.request = override(request, { tools: request.tools.filter(({ name }) => names.includes(name)) });
      await callNext();
    },
  });
}

const seen = watching();
let ran: string[] = [];
const tool = (name: string, needsApproval = false) =>
  defineTool({ name, needsApproval, execute: () => void ran.push(name) });

function desk(...said: readonly Said[]) {
  ran = [];
  const model = scripted(...said);
  const tools = [tool("read"), tool("write", true), tool("erase")];
  return { model, agent: watchedAgent(seen, { model, tools, plugins: [toolSelector({ model: "small" })] }) };
}
const offered = (model: ReturnType<typeof scripted>) => model.asked.map(({ tools }) => tools.map(({ name }) => name));
const answers: readonly (readonly [string, Said])[] = [
  ["text", "the first two"],
  ["an unknown tool", '["read","format"]'],
  ["an error", new Error("503")],
];

describe("a tool selector that asks through the run's own layers", () => {
  it.each(modes)("offers what was chosen, over a pause too, and is asked once (%s)", async (mode: Mode) => {
    const { model, agent } = desk('["read","write"]', [call("1", "write")], "Done.");
    const pending = await suspended(resultOf(agent, "Note it, jane@example.com.", mode));
    const done = await resultOf(agent, { pending, decisions: [approve(only(pending))] }, mode);
    expect(done).toMatchObject({ status: "completed", text: "Done.", inferenceCalls: 3 });
    expect(offered(model)).toEqual([[], ["read", "write"], ["read", "write"]]);
    expect(model.asked.map((request) => request.model)).toEqual(["small", "scripted-1", "scripted-1"]);
    expect(ran).toEqual(["write"]);
    expect(seen.decisionsOnSpans()).toEqual([[expect.any(String), "selector", "selected", true]]);
  });

  it.each(modes)("runs no tool that it has left out (%s)", async (mode) => {
    const { model, agent } = desk('["read"]', [call("1", "erase")], "I may not.");
    expect(await resultOf(agent, "Erase it.", mode)).toMatchObject({ text: "I may not." });
    expect(ran).toEqual([]);
    expect(shown(model.asked.at(-1))).toEqual([expect.stringContaining("erase")]);
  });

  describe.each(answers)("that is answered with %s", (_, answer) => {
    it.each(modes)("offers all tools, and reports its fallback (%s)", async (mode) => {
      const { model, agent } = desk(answer, "Here you are.");
      expect(await resultOf(agent, "Read it.", mode)).toMatchObject({ text: "Here you are." });
      expect(offered(model)[1]).toEqual(["read", "write", "erase"]);
      expect(seen.decisionsOnSpans()).toEqual([[expect.any(String), "selector", "fallback", true]]);
      const told = seen.records.filter(({ type }) => type === "decision");
      expect(told).toMatchObject([{ decision: "fallback", details: { facts: { offered: 3, chosen: 3 } } }]);
    });
  });
});
