import { describe, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import fc from "fast-check";
import { z } from "zod";
import { runs } from "../../../scripts/runs.mjs";
import { call, type Said, scripted } from "./support.js";

const outputSchema = z.object({ title: z.string(), points: z.array(z.string()), score: z.number() });
const report = { title: "Tea, and its kinds", points: ["green", "black"], score: 4.25 };
const agentOf = (...said: Said[]) =>
  createAgent({
    name: "a",
    model: scripted(...said),
    outputSchema,
    tools: [defineTool({ name: "look", execute: () => 1 })],
  });

describe("partial output", () => {
  it("grows with what is said, and ends as the output", async () => {
    const stream = agentOf(JSON.stringify(report)).stream("go");
    const seen: unknown[] = [];
    for await (const value of stream.partialOutput()) seen.push(value);
    expect(seen).toContainEqual({ title: "Tea, a" });
    expect(seen).toContainEqual({ title: report.title, points: ["green"] });
    expect(seen.at(-1)).toEqual(report);
    expect(await stream.result).toMatchObject({ output: report });
  });

  it("is typed by the schema, with every member as one that may be missing", async () => {
    for await (const { title, points } of agentOf(JSON.stringify(report)).stream("go").partialOutput()) {
      const told: string | undefined = title?.toUpperCase() ?? points?.[0];
      expect(typeof told === "string" || told === undefined).toBe(true);
    }
  });

  it("is that of the last round with text: text next to tool calls is not output", async () => {
    const beside = { type: "text", content: 'I look: {"title": "no"}' } as const;
    const stream = agentOf([beside, call("1", "look")], JSON.stringify(report)).stream("go");
    const seen: unknown[] = [];
    for await (const value of stream.partialOutput()) seen.push(value);
    expect(seen[0]).toEqual({});
    expect(seen.at(-1)).toEqual(report);
  });

  it("of what is no JSON is none, and the result says so", async () => {
    const stream = agentOf("I would rather not.").stream("go");
    for await (const value of stream.partialOutput()) throw new Error(`it gave ${JSON.stringify(value)}`);
    await expect(stream.result).rejects.toMatchObject({ code: "ERR_AGENT_OUTPUT_INVALID" });
  });

  it("of any JSON, cut anywhere, ends as that: no earlier value changes any more, and no number is cut off", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const text = JSON.stringify(value);
        const stream = createAgent({ name: "a", model: scripted(text), outputSchema: {} }).stream("go");
        const seen: { readonly value: unknown; readonly as: string }[] = [];
        for await (const each of stream.partialOutput()) seen.push({ value: each, as: JSON.stringify(each) });
        if (typeof value === "object" && value !== null) expect(JSON.stringify(seen.at(-1)?.value)).toBe(text);
        for (const each of seen) expect(JSON.stringify(each.value)).toBe(each.as);
        const numbers = new Set(text.match(/-?\d[\d.eE+-]*/g));
        const whole = seen.every(({ as }) =>
          (as.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? []).every((n) => numbers.has(n)),
        );
        expect(whole).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });

  it("of a long text is told so often that all of it costs little more than its length", async () => {
    const long = { title: "x".repeat(200_000), points: [], score: 1 };
    let characters = 0;
    for await (const value of agentOf(JSON.stringify(long)).stream("go").partialOutput())
      characters += value.title?.length ?? 0;
    expect(characters).toBeLessThan(100 * 200_000);
  });
});
