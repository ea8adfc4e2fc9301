import { closing, type Token, unquoted } from "./tokens.js";

/** A name that is imported, `imported as local`. */
interface Name {
  readonly imported: string;
  readonly local: string;
  readonly isType: boolean;
}

/** An import at the top of a module, or the equivalent `require`. */
export interface Import {
  /** The position of the statement, including its semicolon. */
  readonly start: number;
  readonly end: number;
  readonly source: string;
  /** The name of the whole module: `* as name`, or `const name = require(…)`. */
  readonly namespace: string | undefined;
  /** The name of the default export. */
  readonly byDefault: string | undefined;
  readonly names: readonly Name[];
  /** The position of `require(…)`, if it is one. */
  readonly required?: { readonly start: number; readonly end: number };
}

/** Returns the simple imports of a module: statements at its top, without `import type`. */
export function importsOf(tokens: readonly Token[]): readonly Import[] {
  const imports: Import[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.depth !== 0 || token.type !== "IdentifierName" || tokens[at - 1]?.value === ".") continue;
    const found =
      token.value === "import"
        ? imported(tokens, at)
        : ["const", "let", "var"].includes(token.value)
          ? required(tokens, at)
          : undefined;
    if (found !== undefined) imports.push(found);
  }
  return imports;
}

function imported(tokens: readonly Token[], at: number): Import | undefined {
  const next = tokens[at + 1]?.value;
  if (next === "(" || next === ".") return undefined;
  const from = tokens.findIndex(({ type, depth }, i) => i > at && depth === 0 && type === "StringLiteral");
  const source = unquoted(tokens[from]);
  if (source === undefined) return undefined;
  const clause = tokens.slice(at + 1, from - 1);
  const isStatic = from === at + 1 || tokens[from - 1]?.value === "from";
  if (!isStatic || clause.some(({ value }) => [";", "=", "import"].includes(value))) return undefined;
  const isType = clause[0]?.value === "type" && clause[1] !== undefined && clause[1].value !== ",";
  const star = clause.findIndex(({ value }) => value === "*");
  const brace = clause.findIndex(({ value }) => value === "{");
  const first = clause[0];
  return {
    start: (tokens[at] as Token).start,
    end: endOf(tokens, withAttributes(tokens, from)),
    source,
    namespace: star < 0 || isType ? undefined : clause[star + 2]?.value,
    byDefault: first?.type === "IdentifierName" && !isType ? first.value : undefined,
    names: brace < 0 ? [] : namesIn(clause.slice(brace + 1, -1), "as", isType),
  };
}

/** `const { a, b: c } = require("x")`, and `const x = require("x")`. */
function required(tokens: readonly Token[], at: number): Import | undefined {
  const isList = tokens[at + 1]?.value === "{";
  const last = isList ? closing(tokens, at + 1) : at + 1;
  const [equals, require, open, text, close, then] = tokens.slice(last + 1, last + 7);
  const source = unquoted(text);
  if (last < 0 || equals?.value !== "=" || require?.value !== "require" || open?.value !== "(") return undefined;
  if (source === undefined || close?.value !== ")" || [".", "(", "["].includes(then?.value ?? "")) return undefined;
  return {
    start: (tokens[at] as Token).start,
    end: endOf(tokens, last + 5),
    source,
    namespace: isList ? undefined : tokens[at + 1]?.value,
    byDefault: undefined,
    names: isList ? namesIn(tokens.slice(at + 2, last), ":", false) : [],
    required: { start: require.start, end: close.end },
  };
}

/** `a, b as c, type D`; in a pattern `a, b: c`. */
function namesIn(tokens: readonly Token[], as: string, isType: boolean): readonly Name[] {
  const names: Name[] = [];
  let words: string[] = [];
  for (const value of [...tokens.map((token) => token.value), ","]) {
    if (value !== ",") {
      words.push(value);
      continue;
    }
    const typed = words[0] === "type" && words.length > 1 && words[1] !== as;
    const [name, middle, local = name] = typed ? words.slice(1) : words;
    if (name !== undefined && (middle === undefined || middle === as))
      names.push({ imported: name, local: local as string, isType: isType || typed });
    words = [];
  }
  return names;
}

/** Returns the position of an import's last token, which is that of `with { type: "json" }` if present. */
function withAttributes(tokens: readonly Token[], from: number): number {
  return tokens[from + 1]?.value === "with" && tokens[from + 2]?.value === "{" ? closing(tokens, from + 2) : from;
}

const endOf = (tokens: readonly Token[], last: number): number => {
  const next = tokens[last + 1];
  return (next?.value === ";" ? next.end : tokens[last]?.end) ?? 0;
};
