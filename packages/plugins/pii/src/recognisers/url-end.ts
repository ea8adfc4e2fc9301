/** Marks that end a sentence or stand around an address rather than in it. */
const after = new Set([...".,;:!?'*"].map((mark) => mark.charCodeAt(0)));
const pairs = new Map([
  [41, 40],
  [93, 91],
  [125, 123],
]);

/** The end of an address without the punctuation of the sentence around it: a bracket stays only with its partner. */
export function trimmed(text: string, from: number, to: number): number {
  const surplus = new Map<number, number>();
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    const open = pairs.get(code) ?? code;
    if (open === 40 || open === 91 || open === 123) {
      surplus.set(open, (surplus.get(open) ?? 0) + (code === open ? -1 : 1));
    }
  }
  let end = to;
  for (; end > from; end--) {
    const code = text.charCodeAt(end - 1);
    const open = pairs.get(code);
    if (open === undefined) {
      if (!after.has(code)) break;
    } else {
      const count = surplus.get(open) ?? 0;
      if (count <= 0) break;
      surplus.set(open, count - 1);
    }
  }
  return end;
}
