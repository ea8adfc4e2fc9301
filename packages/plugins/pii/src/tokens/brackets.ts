/** The encoding of a value where its token was. */
type Encode = (value: string) => string;

/** A notation of a token's brackets, with the matching encoding of the value. */
export interface Brackets {
  readonly opening: string;
  readonly closing: string;
  readonly encode: Encode;
}

const asIs: Encode = (value) => value;
const html: Encode = (value) => value.replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
const json: Encode = (value) => JSON.stringify(value).slice(1, -1);
/** Lone surrogates have no percent encoding. */
const percent: Encode = (value) => encodeURIComponent(value.replaceAll(/[\ud800-\udfff]/gu, "\ufffd"));

/**
 * The forms in which models quote `<` and `>`. A single backslash before a value belongs to the surrounding text:
 * `DOMAIN\jane@x.com`.
 */
const all: readonly Brackets[] = [
  { opening: "<", closing: ">", encode: asIs },
  { opening: "\\<", closing: "\\>", encode: asIs },
  { opening: "&lt;", closing: "&gt;", encode: html },
  { opening: "&#60;", closing: "&#62;", encode: html },
  { opening: "&#x3c;", closing: "&#x3e;", encode: html },
  { opening: "\\u003c", closing: "\\u003e", encode: json },
  { opening: "\\x3c", closing: "\\x3e", encode: json },
  { opening: "%3c", closing: "%3e", encode: percent },
];

/** The brackets that begin with this UTF-16 unit. */
export const bracketsOf = (code: number): readonly Brackets[] => byFirst.get(code) ?? [];

const byFirst = new Map<number, readonly Brackets[]>();
for (const one of all) {
  const first = one.opening.charCodeAt(0);
  byFirst.set(first, [...(byFirst.get(first) ?? []), one]);
}

/** The first units of brackets. */
export const firstUnits: readonly number[] = [...byFirst.keys()];
