import type { Found } from "./scanner.js";

/** Earlier first, and of two that begin together the longer one. */
export const inOrder = (a: Found, b: Found): number =>
  a.start - b.start || b.end - a.end || b.score - a.score || a.rule.order - b.rule.order;

/** Tails first, then the surer, the longer, the one whose rule stands first, the earlier. */
const byRank = (a: Found, b: Found): number =>
  Number(b.silent) - Number(a.silent) ||
  b.score - a.score ||
  b.end - b.start - (a.end - a.start) ||
  a.rule.order - b.rule.order ||
  a.start - b.start;

/**
 * Resolves overlaps between matches. The best match stays whole. A worse one keeps the part that no better one covers,
 * so that every unit of every match is removed.
 */
export function resolve(cluster: readonly Found[]): readonly Found[] {
  if (cluster.length < 2) return cluster;
  const start = cluster.reduce((least, found) => Math.min(least, found.start), Number.POSITIVE_INFINITY);
  const covered = new Uint8Array(cluster.reduce((most, found) => Math.max(most, found.end), start) - start);
  const parts: Found[] = [];
  for (const found of [...cluster].sort(byRank)) {
    for (let at = found.start; at < found.end; ) {
      while (at < found.end && covered[at - start] === 1) at++;
      let end = at;
      while (end < found.end && covered[end - start] === 0) end++;
      if (end > at) parts.push({ ...found, start: at, end });
      at = end;
    }
    covered.fill(1, found.start - start, found.end - start);
  }
  return parts.sort(inOrder);
}
