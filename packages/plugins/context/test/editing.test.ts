import { describe, expect, it } from "@jest/globals";
import { ContextError, clearToolUses, contextEditing } from "@suite/context";
import { type Message, message, type Part, toolCall, toolCallResponse } from "@suite/core";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { histories, newOrphans } from "./histories.js";
import { Rig } from "./support.js";

const step = (id: string, name = "look", size = 400): readonly Message[] => [
  message("assistant", [toolCall(id, name, { id })]),
  message("tool", [toolCallResponse(id, id.repeat(size))]),
];
const question = message("user", "?");
const partsOf = (messages: readonly Message[]): readonly Part[] => messages.flatMap(({ parts }) => parts);
const cleared = (messages: readonly Message[], placeholder = "[cleared]"): readonly string[] =>
  partsOf(messages).flatMap((part) =>
    part.type === "tool_call_response" && part.response === placeholder ? [part.id] : [],
  );
const five = [question, ...step("a"), ...step("b"), ...step("c"), ...step("d"), ...step("e")];
const editing = (options: Parameters<typeof clearToolUses>[0]) => contextEditing({ edits: [clearToolUses(options)] });

describe("clearToolUses", () => {
  it("clears all but the newest results when a request is above the trigger, and tells it", async () => {
    const rig = new Rig([editing({ trigger: 300 })]);
    const sent = await rig.model(five);
    expect(cleared(sent)).toEqual(["a", "b"]);
    expect(newOrphans(five, sent)).toEqual([]);
    expect(rig.decisions).toMatchObject([
      { decision: "cleared", place: "clear_tool_uses", enforced: true, details: { results: 2 } },
    ]);
    expect(await new Rig([editing({ trigger: 600 })]).model(five)).toBe(five);
  });

  // In another system a minimum that cannot be reached still clears everything.
  it("clears nothing if it would save less than clearAtLeast", async () => {
    const rig = new Rig([editing({ trigger: 300, clearAtLeast: 1000 })]);
    expect(await rig.model(five)).toBe(five);
    expect(rig.decisions).toMatchObject([{ decision: "not_cleared" }]);
    expect(cleared(await new Rig([editing({ trigger: 300, clearAtLeast: 190 })]).model(five))).toEqual(["a", "b"]);
  });

  it("leaves what is cleared so, and clears more only at the next trigger: the beginning of requests is stable", async () => {
    const rig = new Rig([editing({ trigger: 350 })]);
    const first = await rig.model(five);
    const six = [...five, ...step("f", "look", 10)];
    const second = await rig.model(six);
    expect(second.slice(0, first.length)).toEqual(first);
    expect(second.every((each, index) => index >= first.length || each === first[index])).toBe(true);
    expect(rig.decisions).toHaveLength(1);
    expect(cleared(await rig.model([...six, ...step("g")]))).toEqual(["a", "b", "c", "d"]);
  });

  it("leaves no framework's own form of what it clears: that still holds the result", async () => {
    const native = { from: "a framework", value: "the whole result" };
    const call = { ...toolCall("a", "look", { secret: "the input" }), native };
    const result = { ...toolCallResponse("a", "a".repeat(400)), native };
    const given = [question, { ...message("assistant", [call]), native }, { ...message("tool", [result]), native }];
    const rig = new Rig([editing({ trigger: 300, clearToolInputs: true })]);
    const sent = await rig.model([...given, ...five.slice(1)]);
    expect(cleared(sent)).toEqual(["a", "a", "b"]);
    expect(JSON.stringify(sent.slice(1, 3))).not.toMatch(/the whole result|the input|native/);
  });

  it("keeps its count after a suspension", async () => {
    const before = new Rig([editing({ trigger: 300 })]);
    await before.model(five);
    const durable = JSON.parse(JSON.stringify(before.run.save()));
    const after = new Rig([editing({ trigger: 300 })], { runId: before.run.runId, durable });
    expect(cleared(await after.model([question, ...step("a"), ...step("x", "look", 10)]))).toEqual(["a"]);
  });

  it("keeps results that the model has not seen, whatever keep says", async () => {
    const ids = ["p", "q", "r"];
    const batch = [
      message(
        "assistant",
        ids.map((id) => toolCall(id, "look", {})),
      ),
      ...ids.map((id) => message("tool", [toolCallResponse(id, id.repeat(900))])),
    ];
    const sent = await new Rig([editing({ trigger: 10, keep: 0 })]).model([question, ...step("a"), ...batch]);
    expect(cleared(sent)).toEqual(["a"]);
  });

  it("skips excluded tools, clears inputs if configured, and has its own placeholder", async () => {
    const history = [question, ...step("a", "keep_me"), ...step("b"), ...step("c")];
    const options = { trigger: 10, keep: 1, excludeTools: ["keep_me"], clearToolInputs: true, placeholder: "gone" };
    const sent = await new Rig([editing(options)]).model(history);
    expect(cleared(sent, "gone")).toEqual(["b"]);
    const inputs = partsOf(sent).flatMap((part) => (part.type === "tool_call" ? [part.arguments] : []));
    expect(inputs).toEqual([{ id: "a" }, {}, { id: "c" }]);
  });

  it("creates no orphan, changes only results, and never the original messages", async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat({ max: 3 }), fc.boolean(), async (messages, keep, clearToolInputs) => {
        const before = JSON.stringify(messages);
        const sent = await new Rig([editing({ trigger: 1, keep, clearToolInputs, placeholder: "-" })]).model(messages);
        expect(JSON.stringify(messages)).toBe(before);
        expect(sent).toHaveLength(messages.length);
        const plain = (part: Part) =>
          part.type === "tool_call_response"
            ? { ...part, response: 0 }
            : part.type === "tool_call" && clearToolInputs
              ? { ...part, arguments: 0 }
              : part;
        expect(partsOf(sent).map(plain)).toEqual(partsOf(messages).map(plain));
      }),
      { numRuns: runs(500) },
    );
  });

  it("in monitor mode tells, and changes nothing", async () => {
    const rig = new Rig([contextEditing({ edits: [clearToolUses({ trigger: 300 })], mode: "monitor" })]);
    expect(await rig.model(five)).toBe(five);
    expect(rig.decisions).toMatchObject([{ decision: "cleared", enforced: false }]);
  });

  it("refuses options that make no sense", () => {
    const bad: unknown[] = [{ trigger: 0 }, { trigger: Number.NaN }, { keep: -1 }, { keep: 0.5 }, { clearAtLeast: -1 }];
    for (const options of [...bad, { placeholder: "" }, { excludeTools: "a" }, { clear_at_least: 3 }]) {
      expect(() => clearToolUses(options as object)).toThrow(ContextError);
    }
    expect(() => contextEditing({ edits: [] })).toThrow(ContextError);
    expect(() => contextEditing({ edits: [{}] as never })).toThrow(/clearToolUses/);
  });
});

it("edits of the user's own follow each other", async () => {
  const drop = {
    name: "drop",
    apply: (messages: readonly Message[]) => ({ messages: messages.slice(-1), decision: "dropped" }),
  };
  const rig = new Rig([contextEditing({ edits: [drop] })]);
  expect(await rig.model([message("system", "s"), question, question])).toHaveLength(2);
  expect(rig.decisions).toMatchObject([{ decision: "dropped", place: "drop" }]);
});
