import type { Part } from "./message.js";

/**
 * Finds the part that each part of a changed message was made from, so that a framework's message can be changed in
 * place. A part is matched by identity, then by the id of its call. Otherwise it is matched by its position among the
 * parts of its type, if none of that type was added or removed.
 *
 * @param after the parts after the layers.
 * @param before the parts before the layers.
 * @returns for each part of `after` the part of `before`, or `undefined` if a layer added it.
 */
export function sourcesOf(after: readonly Part[], before: readonly Part[]): readonly (Part | undefined)[] {
  const current = new Set(after);
  const same = new Set(before.filter((part) => current.has(part)));
  const removed = grouped(before.filter((part) => !same.has(part)));
  const added = grouped(after.filter((part) => !same.has(part)));
  const sources = new Map<Part, Part | undefined>([...same].map((part) => [part, part]));
  for (const [key, changed] of added) {
    const group = removed.get(key) ?? [];
    if (group.length !== changed.length) continue;
    for (const [index, part] of changed.entries()) sources.set(part, group[index]);
  }
  return after.map((part) => sources.get(part));
}

function grouped(parts: readonly Part[]): ReadonlyMap<string, readonly Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const group = groups.get(keyOf(part));
    if (group === undefined) groups.set(keyOf(part), [part]);
    else group.push(part);
  }
  return groups;
}

const keyOf = (part: Part): string => ("id" in part && part.id !== undefined ? `${part.type} ${part.id}` : part.type);
