import { expect, it } from "@jest/globals";
import { printable } from "@suite/kit/text";
import fc from "fast-check";
import { visible } from "../src/terminal/visible.js";

it("a visible text is its printable lines", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary", maxLength: 20 }).filter((line) => !line.includes("\n"))),
      (lines) => {
        expect(visible(lines.join("\n"))).toBe(lines.map(printable).join("\n"));
      },
    ),
  );
});

it("a visible text spells a character of two units as two escapes, which no other text has", () => {
  expect(visible("\u{e0041}")).toBe("\\udb40\\udc41");
});
