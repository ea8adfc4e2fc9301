import { describe, expect, it } from "@jest/globals";
import type { Delta, Part, Reply } from "@suite/core";
import { toolCall } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import { type Changes, transform } from "@suite/core/transform";
import fc from "fast-check";
import { call, codeOf, collect, layer, piece, read, request, text } from "./support.js";

const end = (at: string): Delta => ({ type: "part_end", at });
const json = (content: string, at = "0"): Delta => ({ type: "arguments", at, json: content });
const shout = (content: string): string => content.toUpperCase();

/** A plugin that transforms the answer of the model. */
const changing = (changes: Changes) =>
  layer(async (invocation, callNext) => {
    await callNext();
    transform(invocation, changes);
  });

async function* streamOf(deltas: readonly Delta[]): AsyncGenerator<Delta, void> {
  yield* deltas;
}

const streamed = (changes: Changes, deltas: readonly Delta[]) =>
  call("model", [changing(changes)], request, async (c) => c.respond({ stream: streamOf(deltas) }));

/** The reply after the changes, streamed in these deltas. */
const reply = async (changes: Changes, deltas: readonly Delta[]): Promise<Reply> =>
  (await streamed(changes, deltas)).outcome.final();

/** The parts after the changes, in an answer that is not streamed. */
async function whole(changes: Changes, parts: readonly Part[]): Promise<readonly Part[]> {
  const value: Reply = { message: { role: "assistant", parts } };
  const { outcome } = await call("model", [changing(changes)], request, async (c) => c.respond({ value }));
  return (await outcome.final()).message.parts;
}

describe("transform", () => {
  it("changes the complete text of a stream, whichever pieces it arrives in", async () => {
    const once = { text: (content: string) => content.replaceAll("ACME", "we").concat(`(${content.length})`) };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.stringMatching(/^[ACME ]{0,5}$/), { maxLength: 8 }), async (pieces) => {
        const all = pieces.join("");
        const changed = await reply(once, [...pieces.map((content) => piece(content)), { type: "finish" }]);
        expect(read(changed.message.parts)).toBe(all === "" ? "" : once.text(all));
        expect(read(await whole(once, [text(all)]))).toBe(all === "" ? "" : once.text(all));
      }),
    );
  });

  it("changes each piece at once with `piece`, and holds none back", async () => {
    const { outcome } = await streamed({ piece: shout }, [piece("one "), piece("two")]);
    const reader = outcome[Symbol.asyncIterator]();
    expect(await reader.next()).toEqual({ done: false, value: piece("ONE ") });
    expect(await collect({ [Symbol.asyncIterator]: () => reader })).toBe("TWO");
    expect(read(await whole({ piece: shout }, [text("one two")]))).toBe("ONE TWO");
  });

  it("holds a text back until its end, and lets no later part or event overtake it", async () => {
    const event: Delta = { type: "event", name: "note", value: 1 };
    const { outcome } = await streamed({ text: shout }, [
      piece("a", "0"),
      event,
      piece("b", "1"),
      end("0"),
      end("1"),
      { type: "finish" },
    ]);
    const out: Delta[] = [];
    for await (const delta of outcome) out.push(delta);
    expect(out).toEqual([piece("A", "0"), event, end("0"), piece("B", "1"), end("1"), { type: "finish" }]);
  });

  it("gives the original pieces out if the text is not changed", async () => {
    const native: Delta = { type: "part", at: "0", part: { type: "text", content: "a", native: { id: 1 } } };
    const { outcome } = await streamed({ text: (content) => content }, [native, piece("b")]);
    const out: Delta[] = [];
    for await (const delta of outcome) out.push(delta);
    expect(out).toEqual([native, piece("b")]);
  });

  it("changes reasoning, which then loses its signature, and leaves the text", async () => {
    const reasoning: Part = { type: "reasoning", content: "hmm", signature: "s" };
    expect(await whole({ reasoning: shout }, [reasoning, text("ok")])).toEqual([
      { type: "reasoning", content: "HMM" },
      text("ok"),
    ]);
    expect(await whole({ reasoning: (content) => content }, [reasoning])).toEqual([reasoning]);
  });

  it("changes the arguments of a tool call, streamed as JSON or not", async () => {
    const changes: Changes = { arguments: (value, { name }) => ({ ...(value as object), by: name }) };
    const wanted = toolCall("1", "look", { at: "x", by: "look" });
    const start: Delta = { type: "part", at: "0", part: toolCall("1", "look", {}) };
    for (const deltas of [
      [start, json('{"at":'), json('"x"}'), end("0")],
      [start, json('{"at":'), json('"x"}'), piece("then", "1")],
    ]) {
      expect((await reply(changes, deltas)).message.parts[0]).toEqual(wanted);
    }
    expect(await whole(changes, [toolCall("1", "look", { at: "x" })])).toEqual([wanted]);
    expect(await whole(changes, [toolCall("1", "look", {})])).toEqual([toolCall("1", "look", { by: "look" })]);
  });

  it("passes on the JSON of a call as it came if its arguments are not changed", async () => {
    const given: readonly Delta[] = [{ type: "part", at: "0", part: toolCall("1", "look", {}) }, json("{ "), json("}")];
    const { outcome } = await streamed({ arguments: (value) => value }, given);
    const out: Delta[] = [];
    for await (const delta of outcome) out.push(delta);
    expect(out).toEqual(given);
    expect(assembleReply(out).message.parts).toEqual([toolCall("1", "look", {})]);
  });

  it("fails the answer with the error of the function", async () => {
    const broken = new Error("broken");
    const fails = () => {
      throw broken;
    };
    expect(await codeOf(reply({ text: fails }, [piece("a")]))).toBe(broken);
    expect(await codeOf(whole({ text: fails }, [text("a")]))).toBe(broken);
  });

  it("refuses unknown members, `text` next to `piece`, and a function that returns no string", async () => {
    const wrong = (changes: object) => codeOf(reply(changes as Changes, [piece("a")]));
    expect(await wrong({ txt: shout })).toBe("ERR_INVALID_OPTION");
    expect(await wrong({ text: "x" })).toBe("ERR_INVALID_OPTION");
    expect(await wrong({ text: shout, piece: shout })).toBe("ERR_INVALID_OPTION");
    expect(await wrong({ text: async (content: string) => content })).toBe("ERR_INVALID_OPTION");
  });

  it("keeps nothing between two answers of one plugin", async () => {
    const plugin = changing({ text: shout });
    const answer = async () =>
      (
        await call("model", [plugin], request, async (c) => c.respond({ stream: streamOf([piece("a"), piece("b")]) }))
      ).outcome.final();
    const both = await Promise.all([answer(), answer()]);
    expect(both.map(({ message }) => read(message.parts))).toEqual(["AB", "AB"]);
  });
});
