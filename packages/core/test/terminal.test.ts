import { describe, expect, it } from "@jest/globals";
import { printable } from "@suite/core/terminal";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";

describe("a printable line", () => {
  it("shows what a terminal would obey or turn around, and leaves all else", () => {
    expect(printable("a\u001b[31mé\u202e🌦️\n")).toBe("a\\u001b[31mé\\u202e🌦️\\u000a");
  });

  it("has no control or format character, whatever it is made of", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (line) => {
        expect(printable(line)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
      }),
      { numRuns: runs(1000) },
    );
  });
});
