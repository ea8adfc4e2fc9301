import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { cut } from "../src/server/cutting.js";

describe("cutting", () => {
  it("gives pieces that add up to the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        for (const cutting of [undefined, size, "characters", (whole: string) => whole.split(/(?=a)/)] as const) {
          expect(cut(text, cutting).join("")).toBe(text);
        }
      }),
    );
  });

  it("by size counts characters, and keeps surrogate pairs whole", () => {
    expect(cut("a🚀b🚀c", 2)).toEqual(["a🚀", "b🚀", "c"]);
    expect(cut("🚀é", "characters")).toEqual(["🚀", "é"]);
  });

  it("by a function may go through a surrogate pair", () => {
    expect(cut("🚀", (text) => [text.charAt(0), text.charAt(1)])).toEqual(["\ud83d", "\ude80"]);
  });
});
