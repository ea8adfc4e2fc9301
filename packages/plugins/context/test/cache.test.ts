import { describe, expect, it } from "@jest/globals";
import { ContextError, dynamicContext, promptCache, taskReminder, todoList, todosKey } from "@suite/context";
import { type Message, message, override, type Plugin, toolCall, toolCallResponse } from "@suite/core";
import { Rig } from "./support.js";

const system = message("system", "Be brief.");
const step = (id: string): readonly Message[] => [
  message("assistant", [toolCall(id, "look", {})]),
  message("tool", [toolCallResponse(id, `found ${id}`)]),
];
const history = [system, message("user", "?"), ...step("a")];
const claude = { provider: "anthropic", model: "claude-sonnet-5" };
/** The places of the marks of the newest request. */
const marked = (rig: Rig) => {
  const { messages = [], cacheMarks = [] } = rig.asked.at(-1) ?? {};
  return cacheMarks.map(({ after }) => messages.indexOf(after));
};
const moves = (rig: Rig) => rig.decisions.filter((each) => "decision" in each && each.decision === "prefix_moved");

describe("promptCache", () => {
  it("marks the end of the system prompt, where the last request was marked, and the newest message that stays", async () => {
    const rig = new Rig([promptCache({ ttl: "1h" })]);
    await rig.model(history.slice(0, 2), claude);
    expect(marked(rig)).toEqual([0, 1]);
    await rig.model(history, claude);
    expect(marked(rig)).toEqual([0, 1, 3]);
    await rig.model([...history, ...step("b")], claude);
    expect(marked(rig)).toEqual([0, 3, 5]);
    expect(rig.asked[2]?.cacheMarks?.[0]).toEqual({ after: system, ttl: "1h" });
    expect(rig.told).toEqual([]);
  });

  it("marks nothing for models of others", async () => {
    const rig = new Rig([promptCache()]);
    await rig.model(history, { provider: "openai", model: "gpt-5" });
    expect(rig.asked[0]?.cacheMarks).toBeUndefined();
  });

  it.each([
    ["the tools", { ...claude, tools: [{ name: "new" }] }, history, "tools", 0],
    ["the system prompt", claude, [message("system", "Now."), ...history.slice(1)], "system_prompt", 0],
    ["an old message", claude, [system, message("user", "!"), ...step("a"), ...step("b"), ...step("c")], "messages", 0],
  ] as const)("tells that %s moved the prefix", async (_, changes, next, place, at) => {
    const rig = new Rig([promptCache()]);
    await rig.model([...history, ...step("b")], claude);
    await rig.model(next, changes);
    expect(moves(rig)).toMatchObject([{ place, details: { at, of: 5 }, enforced: true }]);
  });

  it("learns that reminders come and go at the end of a request, and marks before them from then on", async () => {
    const rig = new Rig([todoList(), taskReminder(), promptCache()]);
    rig.run.set(todosKey, [{ content: "look", status: "pending" }]);
    await rig.model(history, claude);
    await rig.model([...history, ...step("b")], claude);
    await rig.model([...history, ...step("b"), ...step("c")], claude);
    await rig.model([...history, ...step("b"), ...step("c"), ...step("d")], claude);
    expect(moves(rig)).toHaveLength(1);
    expect(marked(rig)).toEqual([0, 7, 9]);
  });

  it("tells in monitor mode, and marks nothing", async () => {
    const rig = new Rig([promptCache({ mode: "monitor" })]);
    await rig.model(history, claude);
    await rig.model([message("system", "Now."), ...history.slice(1)], claude);
    expect(rig.asked[1]?.cacheMarks).toBeUndefined();
    expect(moves(rig)).toMatchObject([{ place: "system_prompt", enforced: false }]);
  });

  it("starts empty in each run, and ignores calls of plugins", async () => {
    const plugin: Plugin = promptCache();
    await new Rig([plugin]).model(history, claude);
    const rig = new Rig([plugin]);
    await rig.model([message("user", "else")], claude);
    await rig.model(history, { ...claude, purpose: "summarize" });
    expect(rig.asked[1]?.cacheMarks).toBeUndefined();
    expect(rig.told).toEqual([]);
  });

  it("knows messages again by what they say, and not by the object", async () => {
    const rig = new Rig([promptCache(), dynamicContext(() => "x")]);
    await rig.model(history, claude);
    await rig.model(
      history.map((each) => override(each, {})),
      claude,
    );
    expect(moves(rig)).toEqual([]);
  });
});

it("options that make no sense are refused", () => {
  expect(() => promptCache({ ttl: "1d" as never })).toThrow(ContextError);
});
