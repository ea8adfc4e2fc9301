import { describe, expect, it } from "@jest/globals";
import { conversationOf } from "../src/run/conversation.js";
import { decidedIn } from "../src/run/decided.js";
import { decisionIn } from "../src/run/decision.js";
import { runOf } from "../src/run/run.js";
import type { Attributes, Span } from "../src/run/span.js";
import { span } from "./support.js";

const { traceId } = span();
const message = (role: string, ...parts: readonly object[]) => ({ role, parts });
const text = (content: string) => ({ type: "text", content });
const event = (name: string, attributes: Attributes) => ({ name, time: 0, attributes });
const guard = (place: string, findings: object, more: Attributes = {}) =>
  event("suite.guardrail", {
    "suite.guardrail.plugin": "pii",
    "suite.guardrail.place": place,
    "suite.guardrail.decision": "modify",
    "suite.guardrail.enforced": true,
    "suite.guardrail.findings": JSON.stringify(findings),
    ...more,
  });
const model = (given: readonly object[], said: readonly object[], events: Span["events"], start: number): Span =>
  span({
    ...{ traceId, start, events },
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.input.messages": JSON.stringify(given),
      "gen_ai.output.messages": JSON.stringify(said),
    },
  });

const asks = message("user", text("Mail me at [REDACTED_EMAIL]"));
const calls = message("assistant", { type: "tool_call", id: "c1", name: "find", arguments: {} });
const result = message("tool", { type: "tool_call_response", id: "c1", response: "[REDACTED_IP]" });
const says = message("assistant", text("Done, [REDACTED_URL]"));
const first = model([asks], [calls], [guard("input", { email: 1 })], 1);
const tool = span({
  ...{ traceId, start: 2 },
  attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": "c1" },
  events: [
    event("suite.decision", {
      "suite.decision.name": "decided",
      "suite.decision.plugin": "human-in-the-loop",
      "suite.decision.place": "find",
      "suite.decision.detail.answer": "approve",
      "suite.decision.detail.by": "ann",
    }),
    guard("tool_result", { ip: 2 }),
  ],
});
const second = model(
  [asks, calls, result],
  [says],
  [guard("input", { email: 1 }), guard("output", { url: 1 }, { "suite.guardrail.enforced": false })],
  3,
);

describe("decisions in a conversation", () => {
  it("stand at the message that they are about, with who decided, and why; the same one once", () => {
    const spans = [second, tool, first];
    const decided = decidedIn(conversationOf(spans), spans);
    const shown = [...decided].map(([at, all]) => [
      at,
      all.map(({ word, by, why, times, enforced }) => [word, by, why, times, enforced]),
    ]);
    expect(Object.fromEntries(shown)).toEqual({
      0: [["modify", "pii", "found email", 2, true]],
      1: [["decided", "human-in-the-loop", "approve, by ann", 1, true]],
      2: [["modify", "pii", "found 2 ip", 1, true]],
      3: [["modify", "pii", "found url", 1, false]],
    });
    expect(decided.get(2)?.[0]?.spanId).toBe(tool.spanId);
  });

  it("without captured content are all there, beside no message", () => {
    const spans = [span({ events: [guard("input", { email: 1 })] })];
    expect(decidedIn([], spans).get(-1)).toHaveLength(1);
  });

  it("include those of limits, and state the limit that was reached", () => {
    const limit = event("suite.limit", {
      "suite.limit.name": "cost.day",
      "suite.limit.maximum": 0.5,
      "suite.decision.plugin": "cost-budget",
    });
    expect(decisionIn(limit)).toEqual({
      word: "limit",
      by: "cost-budget",
      why: "cost.day, at most 0.5",
      enforced: true,
    });
    expect(runOf("t", [span({ events: [limit] })]).decisions).toBe(1);
  });

  it.each(["", "{", "[1]", '{"a":"b"}', "null"])("with findings that are %j are nothing that breaks", (findings) => {
    const odd = event("suite.guardrail", { "suite.guardrail.findings": findings, "suite.decision.reason": 3 });
    expect(decisionIn(odd)).toEqual({ word: "suite.guardrail", enforced: true });
  });
});
