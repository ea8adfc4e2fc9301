import { describe, expect, it } from "@jest/globals";
import type { CallId, HookName, RuntimeContext } from "@suite/core";
import type { RecordedEvent } from "../src/contract/recording.js";
import { checkRules } from "../src/contract/rules.js";

const runtime = {} as RuntimeContext;
const agent: CallId = { id: "a", kind: "agent" };
const model: CallId = { id: "m", kind: "model", parent: agent };
const hooks = new Set<HookName>(["agent", "model"]);

/** Events as `"model enter outer"`; an ending may say how: `"model end inner failed"`. */
function events(...lines: readonly string[]): readonly RecordedEvent[] {
  return lines.map((line) => {
    const [kind, type, layer, status = "completed"] = line.split(" ") as [string, RecordedEvent["type"], string, never];
    return { call: kind === "agent" ? agent : model, type, layer, runtime, ...(type === "end" && { status }) };
  });
}

const inAgent = (...lines: readonly string[]): readonly RecordedEvent[] =>
  events(
    ...["agent enter outer", "agent enter inner", "agent leave inner", "agent leave outer"],
    ...lines,
    ...["agent end inner", "agent end outer"],
  );
const good = [
  ...["model enter outer", "model enter inner", "model leave inner", "model leave outer"],
  ...["model chunk inner", "model chunk outer", "model end inner", "model end outer"],
];
const swapped = (a: number, b: number): readonly string[] => {
  const lines = [...good];
  [lines[a], lines[b]] = [good[b] as string, good[a] as string];
  return lines;
};
const check =
  (list: readonly RecordedEvent[], changed = false) =>
  () =>
    checkRules(list, hooks, changed);

describe("the rules", () => {
  it("hold for a call within an agent's", () => {
    expect(check(inAgent(...good))).not.toThrow();
  });

  it.each<[string, readonly RecordedEvent[]]>([
    ["layers in the wrong order", inAgent(...swapped(0, 1))],
    ["layers that are left in the wrong order", inAgent(...swapped(2, 3))],
    ["chunks in the wrong order", inAgent(...swapped(4, 5))],
    ["endings in the wrong order", inAgent(...swapped(6, 7))],
    ["a layer that ends twice", inAgent(...good, "model end outer")],
    ["a layer that never ends", inAgent(...good.slice(0, -1))],
    ["layers that ended differently", inAgent(...good.slice(0, -1), "model end outer failed")],
    ["a call that ends after its parent", [...inAgent(...good.slice(0, -2)), ...events(...good.slice(-2))]],
    ["a call in no agent's", events(...good)],
    [
      "a hook that is not served",
      inAgent(...good).map((event) => ({ ...event, call: { ...event.call, kind: "tool" as const } })),
    ],
    [
      "a call with another runtime",
      inAgent(...good).map((event) => (event.call === model ? { ...event, runtime: { ...runtime } } : event)),
    ],
  ])("refuse %s", (_, list) => {
    expect(check(list)).toThrow(expect.objectContaining({ code: "ERR_TESTKIT_EXPECTATION" }));
  });

  it("let a plugin between the layers make other chunks", () => {
    const more = [...good.slice(0, 6), "model chunk outer", ...good.slice(6)];
    expect(check(inAgent(...more))).toThrow();
    expect(check(inAgent(...more), true)).not.toThrow();
  });
});
