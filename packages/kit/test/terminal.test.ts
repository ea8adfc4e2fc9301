import { describe, expect, it } from "@jest/globals";
import { printable } from "@suite/kit/text";
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

  it("has every character of Unicode's control, format and separator classes escaped", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character)) expect(printable(character)).toMatch(/^(\\u[0-9a-f]{4})+$/);
    }
  });
});
