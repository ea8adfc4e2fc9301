import jsTokens from "js-tokens";

/** A token of code, with its place in the file. */
export interface Token {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** The number of open brackets around it: 0 at the top of a module. */
  readonly depth: number;
}

const blank = new Set([
  "WhiteSpace",
  "LineTerminatorSequence",
  "SingleLineComment",
  "MultiLineComment",
  "HashbangComment",
  "JSXText",
]);

/**
 * Splits a JavaScript or TypeScript file into tokens, without spaces and comments. Strings and regular expressions are
 * one token each.
 */
export function tokensOf(code: string, jsx: boolean): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let depth = 0;
  for (const { type, value } of jsx ? jsTokens(code, { jsx: true }) : jsTokens(code)) {
    const isBracket = type === "Punctuator" || type === "JSXPunctuator";
    if (isBracket && "}])".includes(value)) depth = Math.max(0, depth - 1);
    if (!blank.has(type)) tokens.push({ type, value, start: at, end: at + value.length, depth });
    if (isBracket && "{[(".includes(value)) depth++;
    at += value.length;
  }
  return tokens;
}

/** Returns the position of the bracket that closes the one at a position. Returns -1 if it is absent. */
export function closing(tokens: readonly Token[], open: number): number {
  const depth = tokens[open]?.depth;
  return tokens.findIndex((token, at) => at > open && token.depth === depth && "}])".includes(token.value));
}

/** Returns the raw content of a string literal, without its quotes. */
export const unquoted = (token: Token | undefined): string | undefined =>
  token?.type === "StringLiteral" ? token.value.slice(1, -1) : undefined;
