import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { schemaChecker } from "../src/schema.js";
import { unicodePattern } from "../src/unicode-pattern.js";

const compiles = (pattern: string, flags?: string): boolean => {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
};

describe("unicodePattern", () => {
  it.each([
    ["^https\\:\\/\\/", "^https:\\/\\/"],
    ["^[\\w-.]+\\@[a-\\d_-]+$", "^[\\w\\x2d.]+@[a\\x2d\\d_-]+$"],
    ["^\\-?\\d{2,3}\\ [.\\-]$", "^\\x2d?\\d{2,3} [.\\x2d]$"],
    ["[\\\\w-z\\:]", "[\\\\w-z:]"],
    ["^\\p{L}[\\w-.]$", "^\\p{L}[\\w\\x2d.]$"],
  ])("rewrites %s as %s", (pattern, expected) => {
    expect(unicodePattern(pattern)).toBe(expected);
  });

  it.each(["^\\p{L}+$", "^[a-z]{2}$", "(?P<name>a)", "(?i)^a", "\\Aabc\\Z", "(", "[z-a]", "{x}"])(
    "returns %s unchanged",
    (pattern) => {
      expect(unicodePattern(pattern)).toBe(pattern);
    },
  );

  it("changes the meaning of no expression that JavaScript takes without the flag", () => {
    const parts = [
      "a",
      "-",
      ".",
      ":",
      "[",
      "[^",
      "]",
      "{",
      "}",
      "{1,2}",
      "\\-",
      "\\:",
      "\\.",
      "\\\\",
      "\\w",
      "\\d",
      "\\]",
      "(",
      ")",
      "|",
      "*",
      "z",
    ];
    const pattern = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((chosen) => chosen.join(""));
    const text = fc.array(fc.constantFrom(..."az-.:[]{}\\w19"), { maxLength: 6 }).map((chosen) => chosen.join(""));
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 20 }), (expression, texts) => {
        const rewritten = unicodePattern(expression);
        if (!compiles(expression) || !compiles(rewritten, "u")) return;
        const [before, after] = [new RegExp(`^(?:${expression})$`), new RegExp(`^(?:${rewritten})$`, "u")];
        for (const each of texts)
          expect([expression, each, after.test(each)]).toEqual([expression, each, before.test(each)]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("schemaChecker", () => {
  const seen = async (schema: object): Promise<unknown> => {
    let compiled: unknown;
    await schemaChecker((given) => {
      compiled = given;
      return { validate: () => ({ valid: true, errors: [] }) };
    })(schema, 1);
    return compiled;
  };

  it("rewrites the expressions of a schema, wherever they are, and no values", async () => {
    const of = (pattern: string, key: string) => ({
      properties: { pattern: { pattern }, patternProperties: { type: "string" } },
      patternProperties: { [key]: { anyOf: [{ pattern }, { const: { pattern: "\\:" } }] } },
      $defs: { a: { items: { pattern } } },
      enum: [{ pattern: "\\:" }],
      default: { pattern: "\\:" },
    });
    expect(await seen(of("\\:", "\\@"))).toEqual(of(":", "@"));
  });

  it("passes a schema on as it is if no expression changes it", async () => {
    const schema = { properties: { a: { enum: ["\\:"] } }, required: ["a"] };
    expect(await seen(schema)).toBe(schema);
  });
});
