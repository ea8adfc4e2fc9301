import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";

const redactor = createRedactor({ email: "tokenize" });
const typed = "EMAIL_1_bcdfghjk";
const redacted = redactor.redact(`<${typed}>`);
const token = /TEXT_1_[a-z]{8}/.exec(redacted)?.[0] ?? "no token";

/** Restores a string as a stream, cut at each place alone and at all of them. */
const streamed = (text: string): readonly string[] => {
  const cuts = Array.from({ length: text.length }, (_, at) => [at]);
  return [...cuts, cuts.flat()].map((at) => {
    const stream = redactor.restoreStream();
    const out = at.map((cut, index) => stream.push(text.slice(at[index - 1] ?? 0, cut)));
    return out.join("") + stream.push(text.slice(at.at(-1))) + stream.end();
  });
};

describe("a string that looks like a token", () => {
  it("keeps its own brackets around those of the token that replaces it", () => {
    expect(redacted).toBe(`<<${token}>>`);
    expect(redactor.redact(typed)).toBe(`<${token}>`);
  });

  it.each([
    ["<<@>>", `<${typed}>`],
    ["<@>", typed],
    ["@", typed],
    ["<‹@>>", `<‹${typed}>>`],
    ["<‹@›>", `<‹${typed}›>`],
    ["‹@›", `‹${typed}›`],
    ["[@]", `[${typed}]`],
    ["&lt;@&gt;", typed],
    ["<&lt;@&gt;>", `<${typed}>`],
    ["&lt;&lt;@&gt;&gt;", `&lt;${typed}&gt;`],
    ["\\u003c\\u003c@\\u003e\\u003e", `\\u003c${typed}\\u003e`],
  ])(
    "is restored from %s with the brackets that are not the token's own, in whole and on a stream",
    (pattern, expected) => {
      const answer = `It is ${pattern.replaceAll("@", token)}, twice.`;
      const whole = redactor.restore(answer);
      expect(whole).toBe(`It is ${expected}, twice.`);
      expect(new Set(streamed(answer))).toEqual(new Set([whole]));
    },
  );
});
