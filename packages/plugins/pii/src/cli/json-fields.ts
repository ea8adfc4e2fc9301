/** A leaf of a JSON text: one string, number or key, with its position as written and its path. */
export interface Leaf {
  readonly start: number;
  readonly end: number;
  /** Names of properties; `[]` for the items of a list. */
  readonly path: readonly string[];
  readonly isKey: boolean;
}

/**
 * Yields the leaves of valid JSON text in document order. It yields positions instead of values,
 * so that the parts that are not replaced keep their spaces and digits.
 */
export function* leavesOf(json: string): Generator<Leaf, void> {
  const path: string[] = [];
  const objects: boolean[] = [];
  let key = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? "";
    if (character === "{" || character === "[") {
      objects.push(character === "{");
      key = character === "{";
      path.push(key ? "" : "[]");
    } else if (character === "}" || character === "]") {
      objects.pop();
      path.pop();
      key = false;
    } else if (character === ",") key = objects.at(-1) === true;
    else if (character === ":") key = false;
    else if (character === '"') {
      const end = stringEnd(json, at);
      if (key) path[path.length - 1] = JSON.parse(json.slice(at, end)) as string;
      yield { start: at, end, path, isKey: key };
      at = end - 1;
    } else if (character === "-" || (character >= "0" && character <= "9")) {
      const end = numberEnd(json, at);
      yield { start: at, end, path, isKey: false };
      at = end - 1;
    }
  }
}

function stringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === "\\") at++;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

function numberEnd(json: string, start: number): number {
  let end = start + 1;
  while (end < json.length && "0123456789+-.eE".includes(json[end] ?? " ")) end++;
  return end;
}

/** Returns true if a path is one of the selected fields. */
export type Fields = (path: readonly string[]) => boolean;

/**
 * Compiles patterns of fields: `user.email`, `messages[].content`, `*.text`, `**.text`. Everything below a matching
 * field is selected too.
 */
export function fieldsOf(patterns: readonly string[] | undefined): Fields {
  if (patterns === undefined) return () => true;
  const steps = patterns.map((pattern) =>
    pattern
      .replaceAll("[]", ".[]")
      .split(".")
      .filter((step) => step !== ""),
  );
  return (path) => steps.some((each) => leads(each, path));
}

/**
 * Returns true if the steps match a path or a parent of it. Positions are kept as a set, so that several `**` stay
 * cheap.
 */
function leads(steps: readonly string[], path: readonly string[]): boolean {
  let states = skips(steps, new Set([0]));
  for (const name of path) {
    if (states.has(steps.length)) return true;
    const next = new Set<number>();
    for (const at of states) {
      const step = steps[at];
      if (step === "**") next.add(at);
      else if (step === name || (step === "*" && name !== "[]")) next.add(at + 1);
    }
    states = skips(steps, next);
  }
  return states.has(steps.length);
}

/** `**` also matches no field at all. */
function skips(steps: readonly string[], states: Set<number>): Set<number> {
  for (const at of states) if (steps[at] === "**") states.add(at + 1);
  return states;
}

/** A path, written as `--fields` takes it. */
export const written = (path: readonly string[]): string => path.join(".").replaceAll(".[]", "[]");
