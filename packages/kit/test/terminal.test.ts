import { describe, expect, it } from "@jest/globals";
import { isInvisible, printable } from "@suite/kit/text";
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

  it("shows instructions in tag characters, fillers and selectors, and keeps the selector of an emoji", () => {
    expect(printable("a\u{e0041}b\u3164c\ufe01d\u{e0100}\u2800")).toBe(
      "a\\udb40\\udc41b\\u3164c\\ufe01d\\udb40\\udd00\\u2800",
    );
    expect(printable("❤\ufe0f x\ufe0f")).toBe("❤\ufe0f x\\ufe0f");
  });

  it("has every control, format, separator and invisible character of Unicode escaped", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character) || isInvisible(code))
        expect(printable(character)).toMatch(/^(\\u[0-9a-f]{4})+$/);
    }
  });
});
