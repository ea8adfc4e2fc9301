import { ok, same, thrown } from "./assert.mjs";
import { check } from "./check.mjs";
import { cut, cuts, given, seeded, units } from "./random.mjs";
import { samples, sentence } from "./samples.mjs";
import { mixedRules, mixedText } from "./texts.mjs";

export const streams = [
  check("a stream gives what redact gives, for seeded random texts and cuttings", ({ pii }) => {
    const redactor = pii.createRedactor(mixedRules, { hashKey: "0123456789abcdef" });
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed);
      const text = mixedText(random);
      const whole = redactor.redact(text);
      for (let times = 0; times < 10; times++) {
        const at = cuts(text, random);
        same(given(redactor.stream(), cut(text, at)).join(""), whole, `text ${seed}, cut at ${at}`);
      }
      same(given(redactor.stream(), units(text)).join(""), whole, `text ${seed}, one unit at a time`);
    }
  }),

  check("a stream gives what redact gives, for every single cut, tokens too", ({ pii }) => {
    const redactor = pii.createRedactor({ ...mixedRules, email: "tokenize" });
    for (const sample of samples) {
      const values = [...sample.values, ...sample.hidden];
      const text = values.map((value) => sentence(sample, value).text).join(" 😀 ");
      const whole = redactor.redact(text);
      for (let at = 0; at <= text.length; at++) {
        same(given(redactor.stream(), cut(text, [at])).join(""), whole, `${sample.type}, cut at ${at}`);
      }
    }
  }),

  check("a stream never parts the halves of a surrogate pair", ({ pii }) => {
    const stream = pii.createRedactor(mixedRules).stream();
    const text = "a😀 jane@x.com 😀😀 TCK-123456 𝟒𝟏𝟏𝟏 👩‍👩‍👧 ".repeat(20);
    for (const piece of given(stream, units(text))) ok(piece.isWellFormed(), "every piece is well-formed");
  }),

  check("a stream holds back no more than the current word of prose", ({ pii }) => {
    const stream = pii.createRedactor({ email: "redact", credit_card: "redact", ip: "redact", mac: "redact" }).stream();
    const prose = "It was a bright day (so they said), and nobody minded; not even the cat. ".repeat(3);
    let held = 0;
    for (const [at, unit] of units(prose).entries()) {
      held += 1 - stream.push(unit).length;
      ok(held <= at - prose.lastIndexOf(" ", at) + 1, "no more is held back");
    }
  }),

  check("a stream that blocks gives out nothing of the value, and nothing more", ({ pii }) => {
    const text = "ok jane@example.com more text";
    for (let at = 0; at <= text.length; at++) {
      const stream = pii.createRedactor({ email: "block" }).stream();
      let out = "";
      const read = () => {
        for (const piece of cut(text, [at])) out += stream.push(piece);
        out += stream.end();
      };
      thrown("ERR_PII_BLOCKED", read, `cut at ${at}`);
      ok("ok ".startsWith(out), "nothing of the value came out");
      thrown("ERR_PII_BLOCKED", () => stream.push("x"), "a push afterwards");
    }
  }),

  check("a stream that has ended says so", ({ pii }) => {
    const stream = pii.createRedactor({ email: "redact" }).stream();
    stream.end();
    thrown("ERR_PII_STREAM_ENDED", () => stream.push("x"), "a push");
  }),
];
