/** A change of a file: a range and its replacement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits to a file. They must not overlap. */
export function edited(code: string, edits: readonly Edit[]): string {
  let out = "";
  let at = 0;
  for (const { start, end, text } of inOrder(edits)) {
    out += code.slice(at, start) + text;
    at = end;
  }
  return out + code.slice(at);
}

const inOrder = (edits: readonly Edit[]): readonly Edit[] =>
  edits.toSorted((a, b) => a.start - b.start || a.end - b.end);

/** Lines of context around a change. */
const CONTEXT = 3;

/** A range of whole lines that differ between the old and the new file. */
interface Range {
  readonly from: number;
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/** Formats the change as a unified diff. */
export function diff(path: string, code: string, edits: readonly Edit[]): string {
  const lines = linesOf(code);
  const out = [`--- ${path}`, `+++ ${path}`];
  let moved = 0;
  for (const hunk of hunksOf(code, edits)) {
    const first = hunk[0] as Range;
    const last = hunk.at(-1) as Range;
    const begin = Math.max(0, first.from - CONTEXT);
    const end = Math.min(lines.length, last.from + last.old.length + CONTEXT);
    const body: string[] = [];
    let at = begin;
    for (const { from, old, now } of hunk) {
      body.push(...lines.slice(at, from).map((line) => ` ${line}`), ...old.map((line) => `-${line}`));
      body.push(...now.map((line) => `+${line}`));
      at = from + old.length;
    }
    body.push(...lines.slice(at, end).map((line) => ` ${line}`));
    const grown = hunk.reduce((sum, { old, now }) => sum + now.length - old.length, 0);
    out.push(`@@ -${begin + 1},${end - begin} +${begin + 1 + moved},${end - begin + grown} @@`, ...body);
    moved += grown;
  }
  return out.join("\n");
}

/** Formats a new file as a unified diff. */
export const addition = (path: string, text: string): string =>
  ["--- /dev/null", `+++ ${path}`, ...linesOf(text).map((line) => `+${line}`)].join("\n");

/** Splits a string into lines, without line ends. */
const linesOf = (text: string): readonly string[] => {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

/** Groups changed ranges of lines that share their context. */
function hunksOf(code: string, edits: readonly Edit[]): readonly (readonly Range[])[] {
  const hunks: Range[][] = [];
  for (const range of rangesOf(code, inOrder(edits))) {
    const before = hunks.at(-1)?.at(-1);
    if (before !== undefined && range.from - (before.from + before.old.length) <= 2 * CONTEXT)
      hunks.at(-1)?.push(range);
    else hunks.push([range]);
  }
  return hunks;
}

function rangesOf(code: string, edits: readonly Edit[]): readonly Range[] {
  const groups: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of edits) {
    const start = code.lastIndexOf("\n", edit.start - 1) + 1;
    const line = code.indexOf("\n", edit.end);
    const end = line < 0 ? code.length : line + 1;
    const before = groups.at(-1);
    if (before === undefined || start >= before.end) groups.push({ start, end, edits: [edit] });
    else {
      before.end = Math.max(before.end, end);
      before.edits.push(edit);
    }
  }
  return groups.map(({ start, end, edits: within }) => {
    const old = code.slice(start, end);
    const shifted = within.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const from = code.slice(0, start).split("\n").length - 1;
    return shortened({ from, old: linesOf(old), now: linesOf(edited(old, shifted)) });
  });
}

/** Returns a range without the unchanged lines at its beginning and its end. */
function shortened({ from, old, now }: Range): Range {
  const least = Math.min(old.length, now.length);
  let head = 0;
  while (head < least && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < least - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return { from: from + head, old: old.slice(head, old.length - tail), now: now.slice(head, now.length - tail) };
}
