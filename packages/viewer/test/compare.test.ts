import { describe, expect, it } from "@jest/globals";
import { compareSteps, figuresOf } from "../src/run/compare.js";
import { runOf } from "../src/run/run.js";
import { span } from "./support.js";

const [traceId, start] = ["t", 1000];
const step = (name: string, took: number, at = 0) => span({ traceId, name, start: start + at, end: start + at + took });

describe("the comparison of two runs", () => {
  it("has the spans of both by their names, how many and how long, in the order of time", () => {
    const a = [step("chat", 10, 1), step("chat", 20, 5), step("agent", 50)];
    const b = [step("tool", 7, 2), step("agent", 40), step("chat", 5, 1)];
    expect(compareSteps(a, b)).toEqual([
      { name: "agent", counts: [1, 1], took: [50, 40] },
      { name: "chat", counts: [2, 1], took: [30, 5] },
      { name: "tool", counts: [0, 1], took: [0, 7] },
    ]);
  });

  it("has what a run took, its first chunk, tokens, cost and calls", () => {
    const chat = (at: number, more: object) =>
      span({
        traceId,
        start: start + at,
        end: start + at + 9,
        attributes: { "gen_ai.operation.name": "chat", ...more },
      });
    const spans = [
      chat(20, { "gen_ai.response.time_to_first_chunk": 0.5, "gen_ai.usage.input_tokens": 3 }),
      chat(10, { "gen_ai.response.time_to_first_chunk": 0.25, "suite.usage.cost": 2 }),
    ];
    expect(figuresOf(runOf(traceId, spans), spans)).toEqual({
      ...{
        took: 19,
        firstChunk: 250,
        inputTokens: 3,
        outputTokens: undefined,
        cost: 2,
        modelCalls: 2,
        spans: 2,
        errors: 0,
        decisions: 0,
      },
    });
    expect(figuresOf(runOf(traceId, [step("x", 1)]), [step("x", 1)])).toMatchObject({
      firstChunk: undefined,
      cost: undefined,
    });
  });
});
