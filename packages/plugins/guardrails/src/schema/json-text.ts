/** A JSON value that was found in a string, and its source. */
interface FoundJson {
  readonly value: unknown;
  readonly json: string;
}

/**
 * The maximum number of characters scanned for values in prose: a string of opening brackets alone would take quadratic
 * time.
 */
const mostScanned = 16_000_000;

/** The maximum number of values in prose that are tried. */
const mostValues = 64;

/**
 * Iterates over the JSON values in a model's answer: first the whole string, or the part after a draft in `<think>`;
 * then the last code fence; then objects and arrays in prose, the last one first, since drafts and examples come before
 * the answer.
 */
export function* jsonsIn(text: string): Generator<FoundJson> {
  const complete = parsed(text.trim());
  if (complete !== undefined) return yield complete;
  const answer = withoutThoughts(text);
  const rest = answer === text ? undefined : parsed(answer.trim());
  if (rest !== undefined) return yield rest;
  const inFence = parsed(lastFence(answer));
  if (inFence !== undefined) yield inFence;
  yield* valuesIn(answer).reverse();
}

function parsed(json: string | undefined): FoundJson | undefined {
  if (json === undefined || json === "") return undefined;
  try {
    return { value: JSON.parse(json), json };
  } catch {
    return undefined;
  }
}

const thoughtEnd = "</think>";

/** Removes all up to the end of a draft that some models write into their answer. */
function withoutThoughts(text: string): string {
  const end = text.lastIndexOf(thoughtEnd);
  return end < 0 ? text : text.slice(end + thoughtEnd.length);
}

/** Returns the content of the last complete code fence, or `undefined`. */
function lastFence(text: string): string | undefined {
  let content: string | undefined;
  for (let open = text.indexOf("```"); open >= 0; ) {
    const begin = text.indexOf("\n", open);
    const end = begin < 0 ? -1 : text.indexOf("```", begin);
    if (end < 0) break;
    content = text.slice(begin + 1, end).trim();
    open = text.indexOf("```", end + 3);
  }
  return content;
}

/** Returns the objects and arrays in prose, in order. One within another is not returned. */
function valuesIn(text: string): FoundJson[] {
  const found: FoundJson[] = [];
  const opening = /[{[]/g;
  for (let remaining = mostScanned; remaining > 0 && found.length < mostValues; ) {
    const begin = opening.exec(text)?.index;
    if (begin === undefined) break;
    const end = closingOf(text, begin, remaining);
    remaining -= (end ?? text.length) - begin;
    const value = end === undefined ? undefined : parsed(text.slice(begin, end));
    if (value === undefined) continue;
    found.push(value);
    opening.lastIndex = begin + value.json.length;
  }
  return found;
}

/**
 * Returns the index after the bracket that closes the one at `begin`. Returns `undefined` if there is none within
 * `most` characters.
 */
function closingOf(text: string, begin: number, most: number): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = begin; at < text.length && at - begin < most; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char === "\\") at++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}
