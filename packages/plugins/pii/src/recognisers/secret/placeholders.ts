const placeholderWords =
  "example sample placeholder your change.?me dummy fake foobar redacted insert replace.?me x{4}";
/** Marks that people write in place of a secret: words for it, in one case (not `byoURt`), stars and dots. */
const marks = new RegExp(
  [
    placeholderWords,
    placeholderWords.toUpperCase(),
    placeholderWords.replaceAll(/(?<= |^)./g, (first) => first.toUpperCase()),
  ]
    .join(" ")
    .replaceAll(" ", "|")
    .concat(String.raw`|\*{3}|\.{3}`),
);
/** One character many times. Base64 writes a run of zero bytes as `AAAA`, so that it takes more of these. */
const runs = /([^A])\1{6,}|A{16,}/g;
/**
 * The least part of a placeholder that such runs are. A negative number in an AWS session token is ten of 700
 * characters.
 */
const leastFilled = 1 / 8;

/** Returns `true` if a token in the form of a provider is a placeholder in documentation. */
export const isPlaceholder = (token: string): boolean => marks.test(token) || isFilled(token) || isSequence(token);

function isFilled(token: string): boolean {
  let filled = 0;
  for (const [run] of token.matchAll(runs)) filled += run.length;
  return filled > 0 && filled >= token.length * leastFilled;
}

/** `1234567890abcdef`: most characters follow the one before them. */
function isSequence(token: string): boolean {
  let steps = 0;
  for (let at = 1; at < token.length; at++) {
    const step = token.charCodeAt(at) - token.charCodeAt(at - 1);
    if (step === 1 || step === -9) steps++;
  }
  return steps > token.length * 0.6;
}

/** Words, alone or followed by a number; names of encodings and algorithms; descriptions of the missing value. */
const words =
  /^(?:base64|utf-?\d+\w*|u?int\d+\w*|float\d+|sha-?\d+|md5|argon2\w*|pbkdf2|latin1|iso-?8859-?\d*)$|pass(?:word|wd)?\d{0,4}$|^(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|api.?key|credentials?|user(?:name)?|admin|root|test|foo|bar|baz|null|none|undefined|true|false|string|value|hidden|masked|removed|empty|default)s?[\d!_-]{0,4}$/i;

/** Begins a reference to a secret that is kept elsewhere, or a template. */
const reference =
  /^[$%{<@&]|\$\{|\{\{|^(?:process|os|env|ENV|config|settings|self|this|vault|secrets?|var|local|data)[.[:]/;

/** Returns true if a value without a known form is a placeholder for a secret. */
export const standsForNone = (value: string): boolean =>
  words.test(value) || reference.test(value) || isPlaceholder(value);
