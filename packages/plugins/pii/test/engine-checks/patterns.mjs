import { same, thrown } from "./assert.mjs";
import { check } from "./check.mjs";
import { cut, given, units } from "./random.mjs";

/** Patterns, texts, and what of them matches. @type {readonly (readonly [RegExp, string, readonly string[]])[]} */
const cases = [
  [/TCK-\d{6}/, "TCK-123456, TCK-65432, TCK-1234567", ["TCK-123456", "TCK-123456"]],
  [/\bEMP\w+/i, "emp1 xEMP2 Emp_3é EMP", ["emp1", "Emp_3"]],
  [/[\p{L}]+é/u, "café 12 brûlé naïve", ["café", "brûlé"]],
  [/\p{Script=Greek}{2,}/u, "alpha αβγ, δ εζ", ["αβγ", "εζ"]],
  [/[\p{sc=Han}\p{Uppercase_Letter}]{2}\P{gc=Letter}/u, "谢Q1 谢谢a QQ-", ["谢Q1", "QQ-"]],
  [/straße|\u0041b/i, "STRASSE Straße AB aB", ["Straße", "AB", "aB"]],
  [/^line.$/m, "line1\nline22\nline3", ["line1", "line3"]],
  [/.\n./s, "a\nb\n\nc", ["a\nb", "\n\nc"]],
  [/(?<first>a|b)+c/, "abac bc c aab", ["abac", "bc"]],
  [/a{2,3}?b?/, "aaaab", ["aa", "aab"]],
  [/x|xyz/, "xyz", ["x"]],
  [/[^a-zé\s]{2}/u, "a😀谢b é", ["😀谢"]],
  [/\u{1f600}./u, "😀😀 😀a", ["😀😀", "😀a"]],
  [/谢谢/, "😀谢谢\ud83d谢谢", ["谢谢", "谢谢"]],
  [/a\/b\n[/]\t/, "a/b\n/\t", ["a/b\n/\t"]],
  [/\{\{[a-z.]+\}\}/, "{{a.b}} {a} {{}}", ["{{a.b}}"]],
  [/\s\S\s/, "\u00a0b\u00a0 c d\te ", [" c ", "\te "]],
];

/** @param {RegExp} recognizer */
const rule = (recognizer) => ({ own: /** @type {const} */ ({ recognizer, strategy: "redact" }) });

export const patterns = [
  check("users' patterns match the same in every engine, whole and in pieces", ({ pii }) => {
    for (const [pattern, text, expected] of cases) {
      const redactor = pii.createRedactor(rule(pattern));
      const found = redactor.detect(text).map(({ start, end }) => text.slice(start, end));
      same(found, expected, `${pattern} by ${pii.engine()}`);
      const whole = redactor.redact(text);
      for (const pieces of [units(text), ...units(text).map((_, at) => cut(text, [at]))]) {
        same(given(redactor.stream(), pieces).join(""), whole, `${pattern} in pieces`);
      }
    }
  }),

  check("users' patterns are refused where RE2 cannot express them, or they match nothing", ({ pii }) => {
    const refused = [
      /(?=x)y/,
      /(?!x)y/,
      /(?<=x)y/,
      /(?<!x)y/,
      /(a)\1/,
      /(?<n>a)\k<n>/,
      /\p{Emoji}x/u,
      /a/y,
      /a*/,
      /x?|y/,
      /\b/,
      /^$/,
    ];
    for (const pattern of refused) {
      const error = thrown("ERR_PII_INVALID_PATTERN", () => pii.createRedactor(rule(pattern)), String(pattern));
      same(error.message.includes('"own"'), true, "the message names the rule");
    }
  }),

  check("functions are recognisers, and broken ones are errors with their name", ({ pii }) => {
    /** @param {import("@suite/pii").RecognizerFunction} recognizer */
    const own = (recognizer) => pii.createRedactor({ own: { recognizer, maxLength: 8, strategy: "redact" } });
    same(own(() => [{ start: 2, end: 4 }]).redact("ab12"), "ab[REDACTED_OWN]", "a function");
    /** @type {readonly import("@suite/pii").RecognizerFunction[]} */
    const broken = [
      () => [{ start: 0, end: 99 }],
      () => [{ start: 2, end: 2 }],
      () => [{ start: 0, end: 1, score: 2 }],
      () => {
        throw new Error("no");
      },
    ];
    for (const recognizer of broken) {
      const error = thrown("ERR_PII_DETECTION_FAILED", () => own(recognizer).redact("some text"), `${recognizer}`);
      same(error.types, ["own"], "the types of the error");
    }
  }),
];
