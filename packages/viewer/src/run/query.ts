import type { Run } from "./run.js";

/** A query of the search: words that a run must contain, and conditions on its fields. */
export interface Query {
  /** Terms with the form of an unknown field. They are searched as words. */
  readonly unknown: readonly string[];
  /** The words and quoted phrases, in lower case. */
  readonly words: readonly string[];
  /** Returns true if a run matches the fields of the query. */
  readonly fits: (run: Run) => boolean;
}

/** The most words and fields of a query that are used. */
const MOST_TERMS = 16;

const texts: Readonly<Record<string, (run: Run) => readonly (string | undefined)[]>> = {
  agent: ({ name }) => [name],
  session: ({ sessionId }) => [sessionId],
  user: ({ userId }) => [userId],
  service: ({ service }) => [service],
  model: ({ models }) => models,
};

const states: Readonly<Record<string, (run: Run) => boolean>> = {
  open: ({ state }) => state === "open",
  waits: ({ state }) => state === "suspended",
  failed: ({ state }) => state === "failed",
  error: ({ errors }) => errors > 0,
  decided: ({ decisions }) => decisions > 0,
};

/** The states that the page offers next to the search, as `is:` names them. */
export const offeredStates = [
  ["open", "at work"],
  ["waits", "waits"],
  ["error", "errors"],
  ["decided", "decisions"],
] as const;

/**
 * Parses a query: `refund "no such order" agent:desk session:T-1 user: service: model: is:error`. A term that names no
 * field is a word.
 */
export function queryOf(text: string): Query {
  const words: string[] = [];
  const unknown: string[] = [];
  const fields: ((run: Run) => boolean)[] = [];
  for (const term of termsOf(text)) {
    const field = fieldOf(term);
    if (field !== undefined) fields.push(field);
    else words.push(unquoted(term));
    if (field === undefined && /^[a-z]+:[^/]/.test(term)) unknown.push(term.slice(0, 64));
  }
  return { unknown, words: words.filter(Boolean), fits: (run) => fields.every((field) => field(run)) };
}

/** Splits a query into terms. A phrase in quotes is one term and keeps its quotes. */
const termsOf = (text: string): readonly string[] =>
  [...text.toLowerCase().matchAll(/(?:[a-z]+:)?"[^"]*"?|\S+/g)].map(([term]) => term).slice(0, MOST_TERMS);

const unquoted = (text: string): string => text.replace(/^"|"$/g, "");

function fieldOf(term: string): ((run: Run) => boolean) | undefined {
  const colon = term.indexOf(":");
  if (colon < 1) return undefined;
  const [name, value] = [term.slice(0, colon), unquoted(term.slice(colon + 1))];
  if (name === "is") return Object.hasOwn(states, value) ? states[value] : undefined;
  const of = Object.hasOwn(texts, name) ? texts[name] : undefined;
  // In quotes it must match the whole value: `session:"S-7"` does not match S-70.
  const isExact = term.slice(colon + 1).startsWith('"');
  const isIn = (text: string): boolean => (isExact ? text === value : text.includes(value));
  return of && ((run) => of(run).some((each) => each !== undefined && isIn(each.toLowerCase())));
}

/** The names of the fields in queries. */
export const fieldNames: readonly string[] = [
  ...Object.keys(texts),
  ...Object.keys(states).map((state) => `is:${state}`),
];

/** Returns true if a query contains a state. */
export const hasState = (query: string, state: string): boolean => termsOf(query).includes(`is:${state}`);

/** Adds a state to a query, or removes it if the query already has it. */
export function withState(query: string, state: string): string {
  if (!hasState(query, state)) return `${query.trim()} is:${state}`.trim();
  return query.replace(new RegExp(`(^|\\s)is:${state}(?=\\s|$)`, "gi"), "").trim();
}
