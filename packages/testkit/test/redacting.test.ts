import { describe, expect, it } from "@jest/globals";
import type { Delta } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { redacting } from "@suite/testkit";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { Holdback } from "../src/contract/holdback.js";
import { redactText } from "../src/contract/redact.js";

const secretive = fc.stringMatching(/^[ab@. ]{0,60}$/);
const long = fc.tuple(fc.nat(400), secretive, fc.nat(400)).map(([a, text, b]) => "a".repeat(a) + text + "b@".repeat(b));

describe("holding back", () => {
  it("redacts the same however the text is cut", () => {
    fc.assert(
      fc.property(fc.oneof(secretive, long), fc.array(fc.integer({ min: 1, max: 50 })), (text, sizes) => {
        const held = new Holdback();
        let out = "";
        let at = 0;
        for (const size of sizes) {
          out += held.push(text.slice(at, at + size));
          at += size;
        }
        out += held.push(text.slice(at)) + held.rest();
        expect(out).toBe(redactText(text));
      }),
      { numRuns: runs(500) },
    );
  });

  it("keeps no more than a bounded end", () => {
    const held = new Holdback();
    let out = 0;
    for (let i = 0; i < 200; i++) out += held.push("a".repeat(100)).length;
    expect(20_000 - out).toBeLessThan(400);
  });
});

it("keeps parts where they were, and lets none of a split secret through", async () => {
  const deltas: readonly Delta[] = [
    { type: "part", at: "0", part: { type: "text", content: "a" } },
    { type: "part", at: "1", part: { type: "tool_call", id: "c", name: "mail", arguments: {} } },
    { type: "arguments", at: "1", json: '{"to":"\\nada' },
    { type: "part", at: "0", part: { type: "text", content: "da@b" } },
    { type: "arguments", at: "1", json: '@b"}' },
    { type: "finish", finishReason: "tool_call" },
  ];
  const stack = new PluginStack([redacting()]);
  const run = stack.begin();
  const outcome = await stack.call("model", run, { messages: [], tools: [], model: "m" }, async (invocation) =>
    invocation.respond({
      stream: (async function* () {
        yield* deltas;
      })(),
    }),
  );
  const seen: Delta[] = [];
  for await (const delta of outcome) seen.push(delta);
  expect(JSON.stringify(seen)).not.toMatch(/ada?@|da@/);
  expect((await outcome.final()).message.parts).toEqual([
    { type: "text", content: "[EMAIL]" },
    { type: "tool_call", id: "c", name: "mail", arguments: { to: "\n[EMAIL]" } },
  ]);
  await run.end();
});
