import { describe, expect, it } from "@jest/globals";
import { isInvisible, withoutUnseen } from "@suite/kit/text";

describe("isInvisible", () => {
  it("is true for Unicode's ignorable characters and marks of annotations, and for no other", () => {
    const ignorable = /^\p{Default_Ignorable_Code_Point}$/u;
    const wrong: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const expected = ignorable.test(String.fromCodePoint(code)) || (code >= 0xfff0 && code <= 0xfffb);
      if (isInvisible(code) !== expected) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});

describe("withoutUnseen", () => {
  it("removes controls, tags, selectors, fillers, joiners, marks of direction, and the blank of Braille", () => {
    const hidden =
      "\0\x1b\x7f\x9f\u2028\u2029\u200b\u200d\u202e\u2066\u061c\u034f\u115f\u3164\uffa0\u180b\ufe01\u2800\ufeff\ufff9\u{e0041}\u{e0100}";
    expect(withoutUnseen(`a${[...hidden].join("a")}a`)).toBe("a".repeat([...hidden].length + 1));
  });

  it("keeps all that is seen, and the selector of an emoji's colours", () => {
    const seen = "Grüße, \tπ ≠ ٣ 日本 नमस्ते ❤\ufe0f 😀\n";
    expect(withoutUnseen(seen)).toBe(seen);
    expect(withoutUnseen("x\ufe0f❤\ufe0f\ufe0f\ufe0f")).toBe("x❤\ufe0f");
  });
});
