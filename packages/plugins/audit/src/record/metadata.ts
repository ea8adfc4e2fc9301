import type { Json, JsonObject } from "./canonical.js";

const MAX_FIELDS = 32;
const MAX_DEPTH = 2;
/** A name that a program gave: nobody's address or number looks like it. */
const identifier = /^[A-Za-z_][A-Za-z_-]{0,63}$/;

/** Types, sizes and names of a value: never what it says. */
export function describe(value: Json, depth = 0): JsonObject {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "string", length: value.length };
  if (typeof value !== "object") return { type: typeof value };
  if (Array.isArray(value)) return { type: "array", length: value.length, characters: characters(value) };
  const entries = Object.entries(value as JsonObject);
  if (depth >= MAX_DEPTH) return { type: "object", length: entries.length, characters: characters(value) };
  const named = entries.filter(([name]) => identifier.test(name)).slice(0, MAX_FIELDS);
  const fields = Object.fromEntries(named.map(([name, member]) => [name, describe(member, depth + 1)]));
  const others = entries.length - named.length;
  return { type: "object", fields, ...(others > 0 && { others }) };
}

/** Length of all strings inside. */
function characters(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + characters(member as Json), 0);
}
