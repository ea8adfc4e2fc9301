const stand = "example sample placeholder your change.?me dummy fake foobar redacted insert replace.?me x{4}";
/**
 * Marks that people write where a secret would stand: words for it, in one case (not so `byoURt`), and one character
 * many times over.
 */
const marks = new RegExp(
  [stand, stand.toUpperCase(), stand.replaceAll(/(?<= |^)./g, (first) => first.toUpperCase())]
    .join(" ")
    .replaceAll(" ", "|")
    .concat(String.raw`|\*{3}|\.{3}|([^A])\1{6}|A{16}`),
);

/** Whether a token in the form of a provider stands for one in documentation. */
export const isPlaceholder = (token: string): boolean => marks.test(token) || isSequence(token);

/** `1234567890abcdef`: most characters follow the one before them. */
function isSequence(token: string): boolean {
  let steps = 0;
  for (let at = 1; at < token.length; at++) {
    const step = token.charCodeAt(at) - token.charCodeAt(at - 1);
    if (step === 1 || step === -9) steps++;
  }
  return steps > token.length * 0.6;
}

/** Words, alone or with a number behind them; names of encodings and algorithms; names that say what would stand there. */
const words =
  /^(?:base64|utf-?\d+\w*|u?int\d+\w*|float\d+|sha-?\d+|md5|argon2\w*|pbkdf2|latin1|iso-?8859-?\d*)$|pass(?:word|wd)?\d{0,4}$|^(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|api.?key|credentials?|user(?:name)?|admin|root|test|foo|bar|baz|null|none|undefined|true|false|string|value|hidden|masked|removed|empty|default)s?[\d!_-]{0,4}$/i;

/** Begins a reference to a secret that is kept elsewhere, or a template. */
const reference =
  /^[$%{<@&]|\$\{|\{\{|^(?:process|os|env|ENV|config|settings|self|this|vault|secrets?|var|local|data)[.[:]/;

/** Whether what is written for a secret without a form of its own says that there is none. */
export const standsForNone = (value: string): boolean =>
  words.test(value) || reference.test(value) || isPlaceholder(value);
