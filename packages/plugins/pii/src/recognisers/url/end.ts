/** Marks that end a sentence or stand around an address rather than in it. */
const after = new Set([...".,;:!?'*"].map((mark) => mark.charCodeAt(0)));
/** From each closing bracket to its opening one. */
const pairs = new Map([
  [41, 40],
  [93, 91],
  [125, 123],
]);

/**
 * The end of an address without the punctuation of the sentence around it: it ends at a bracket that was not opened in
 * it, and what stands before a `'s` is all there is.
 */
export function trimmed(text: string, from: number, to: number): number {
  let end = closed(text, from, to);
  if (text.slice(end - 2, end) === "'s") end -= 2;
  while (end > from && after.has(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Up to the first closing bracket without its partner. */
function closed(text: string, from: number, to: number): number {
  const open = new Map<number, number>();
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    const partner = pairs.get(code);
    if (partner !== undefined) {
      const count = open.get(partner) ?? 0;
      if (count === 0) return index;
      open.set(partner, count - 1);
    } else if (code === 40 || code === 91 || code === 123) open.set(code, (open.get(code) ?? 0) + 1);
  }
  return to;
}
