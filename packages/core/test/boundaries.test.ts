import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { PieceBoundaries } from "../src/framework.js";
import type { Delta } from "../src/index.js";

const text = (content: string, at = "0"): Delta => ({ type: "part", at, part: { type: "text", content } });
const thought = (content: string, signature?: string): Delta => ({
  type: "part",
  at: "r",
  part: { type: "reasoning", content, ...(signature !== undefined && { signature }) },
});
const end = (at = "0"): Delta => ({ type: "part_end", at });

/** Sends the deltas of a model in, then those that left the layers, and returns what comes out. */
function through(came: readonly Delta[], left: readonly Delta[]): readonly Delta[] {
  const boundaries = new PieceBoundaries();
  for (const delta of came) boundaries.came(delta);
  return [...left.flatMap((delta) => boundaries.left(delta)), ...boundaries.end()];
}

describe("PieceBoundaries", () => {
  it("returns the deltas of the model if the layers cut the text in other pieces", () => {
    const came = [text(""), text("{bad"), text(" json"), end()];
    expect(through(came, [text("{"), text("bad js"), text("on"), end()])).toEqual(came);
  });

  it("returns the very objects", () => {
    const came = [text("ab"), text("cd")];
    const out = through(came, [text("abc"), text("d")]);
    expect(out.every((delta, index) => delta === came[index])).toBe(true);
  });

  it("keeps a piece that only carries a signature after the text that was held before it", () => {
    const came = [thought("Mail "), thought("Ada."), thought("", "signed")];
    expect(through(came, [thought("Mail"), thought(" Ada.", "signed")])).toEqual(came);
  });

  it("keeps an empty piece in its place if it passes text that is held", () => {
    const empty = text("");
    const came = [text("ab"), empty, text("cd")];
    expect(through(came, [text("a"), empty, text("bcd")])).toEqual(came);
  });

  it("returns an empty piece of the model once if a layer makes another empty one of it", () => {
    const came = [text(""), text("ab")];
    expect(through(came, [text(""), text("a"), text("b")])).toEqual(came);
  });

  it("returns an empty piece that carries a native form for a copy of it, not another empty piece", () => {
    const native = (): Delta => ({ type: "part", at: "0", part: { type: "text", content: "", native: same } });
    const same = { annotations: [] };
    const came = [text("ab"), text(""), native()];
    expect(through(came, [text("ab"), native()]).at(-1)).toBe(came[2]);
  });

  it("passes changed text on as the layer made it", () => {
    const left = [text("to "), text("[EMAIL]"), text(" now")];
    expect(through([text("to a@b"), text(".c now")], left)).toEqual([text("to [EMAIL]"), text(" now")]);
  });

  it("releases waiting text before another part", () => {
    const call: Delta = { type: "part", at: "1", part: { type: "tool_call", id: "c", name: "n", arguments: {} } };
    expect(through([text("ab"), call], [text("a"), call, text("b")])).toEqual([text("a"), call, text("b")]);
  });

  it("returns what came before a piece before it if a stage released the beginning of that piece first", () => {
    const source: Delta = { type: "part", at: "s", part: { type: "native", value: "a source" } };
    const came = [text("one"), source, text("two")];
    expect(through(came, [text("on"), text("etw"), source, text("o")])).toEqual(came);
  });

  it("returns what came between two pieces between them if a stage released both at once", () => {
    const source: Delta = { type: "part", at: "s", part: { type: "native", value: "a source" } };
    const came = [text("one"), source, text("two"), text("three")];
    expect(through(came, [text("on"), text("etwoth"), source, text("ree")])).toEqual(came);
    expect(through(came, [text("on"), text("etwoth"), text("ree")])).toEqual(came.filter((delta) => delta !== source));
  });

  it("loses and adds no text, whatever the layers do", () => {
    const piece = fc.string({ maxLength: 4 });
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), (came, left) => {
        const out = through(
          came.map((content) => text(content)),
          left.map((content) => text(content)),
        );
        expect(joined(out)).toBe(left.join(""));
      }),
      { numRuns: runs(200) },
    );
  });

  it("gives text in any cut the pieces that it came in", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 5 })), fc.array(fc.nat(40)), (pieces, cuts) => {
        const came = pieces.map((content) => text(content));
        const all = pieces.join("");
        const at = [...new Set([0, ...cuts.filter((cut) => cut < all.length), all.length])].sort((a, b) => a - b);
        const left = at.slice(1).map((to, index) => text(all.slice(at[index], to)));
        expect(through(came, left)).toEqual(came);
      }),
      { numRuns: runs(200) },
    );
  });
});

const joined = (deltas: readonly Delta[]): string =>
  deltas.map((delta) => (delta.type === "part" && delta.part.type === "text" ? delta.part.content : "")).join("");
