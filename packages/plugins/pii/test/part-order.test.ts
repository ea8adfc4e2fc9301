import { describe, expect, it } from "@jest/globals";
import { type Delta, message, toolCall } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { memoryVault, pii, type Rules } from "@suite/pii";
import { everywhere, gone, mail, rules } from "./calls.js";

const text = (at: string, content: string): Delta => ({ type: "part", at, part: { type: "text", content } });
const thought = (at: string, content: string): Delta => ({ type: "part", at, part: { type: "reasoning", content } });
const end = (at: string): Delta => ({ type: "part_end", at });

/** The text that a user sees grow of these deltas: `at:content`, pieces of one part in a row joined. */
async function seen(deltas: readonly Delta[], ruleSet: Rules = rules): Promise<string[]> {
  const stack = new PluginStack([pii(ruleSet, { apply: everywhere, vault: memoryVault() })]);
  const run = stack.begin();
  const request = { model: "m", messages: [message("user", mail)], tools: [] };
  const outcome = await stack.call("model", run, request, async (invocation) => {
    invocation.respond({
      stream: (async function* () {
        yield* deltas;
      })(),
    });
  });
  const out: string[] = [];
  let last: string | undefined;
  for await (const delta of outcome) {
    if (delta.type === "finish" || delta.type === "part_end") continue;
    const at = delta.type === "event" ? "event" : delta.at;
    const piece = delta.type === "arguments" ? delta.json : contentOf(delta);
    if (at === last) out.push(`${out.pop()}${piece}`);
    else out.push(`${at}:${piece}`);
    last = at;
  }
  await run.end();
  return out;
}

const contentOf = (delta: Delta): string =>
  delta.type === "part" && "content" in delta.part ? String(delta.part.content) : "";

describe("the guard of an answer", () => {
  it("keeps the texts of an answer as they are, one behind the other", async () => {
    const blocks = ["The meeting is on Monday", " at ten, in room seven", ", says the page."];
    const deltas = blocks.flatMap((block, index) => [text(`${index}`, block), end(`${index}`)]);
    expect(await seen(deltas)).toEqual(blocks.map((block, index) => `${index}:${block}`));
  });

  it("lets no call and no event overtake the text and the reasoning in front of it", async () => {
    const call: Delta = { type: "part", at: "c", part: toolCall("1", "look", {}) };
    const note: Delta = { type: "event", name: "source", value: "page" };
    const deltas = [thought("r", "I should look"), end("r"), text("t", "Let me look that up"), end("t"), note, call];
    expect(await seen(deltas)).toEqual(["r:I should look", "t:Let me look that up", "event:", "c:"]);
  });

  it("keeps the order of parts after a text without an end", async () => {
    const call: Delta = { type: "part", at: "c", part: toolCall("1", "look", {}) };
    const json: Delta = { type: "arguments", at: "c", json: '{"name":"Ada"}' };
    expect(await seen([text("t", "Let me look that up"), call, json])).toEqual([
      "t:Let me look that up",
      'c:{"name":"Ada"}',
    ]);
  });

  it("finds a value that is split by a piece of another part", async () => {
    const [head, tail] = [mail.slice(0, 6), mail.slice(6)];
    const given = await seen([
      text("a", `to ${head}`),
      text("b", "and "),
      text("a", `${tail} now`),
      end("a"),
      end("b"),
    ]);
    expect(given).toEqual([`a:to ${gone} `, "b:and ", "a:now"]);
  });

  it("puts values back in the order of parts", async () => {
    const deltas = [text("a", "write to <EMA"), text("b", "and so on "), text("a", "IL_1> now"), end("a"), end("b")];
    const given = await seen(deltas, { email: "tokenize" });
    expect(given.map((piece) => piece.slice(0, 2))).toEqual(["a:", "b:", "a:"]);
  });
});
