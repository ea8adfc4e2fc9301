import { isObject } from "@suite/kit";

/** The names in a path, by either slash. */
export const namesIn = (path: string): readonly string[] =>
  path.split(/[/\\]/).filter((name) => name !== "" && name !== ".");

/**
 * The reason why a path is not allowed whatever it leads to: a way upwards, a character that ends it, an address, a
 * hidden name.
 */
export function problemOfPath(path: string, hidden: boolean): string | undefined {
  const names = namesIn(path);
  if (names.length === 0 || hasControl(path)) return "not_a_path";
  if (/^[a-z][a-z0-9+.-]+:/i.test(path) || /%2e|%2f|%5c/i.test(path)) return "address"; // tools may interpret it differently
  if (names.includes("..") || path.startsWith("~")) return "outside";
  return !hidden && names.some((name) => name.startsWith(".")) ? "hidden" : undefined;
}

function hasControl(path: string): boolean {
  for (let at = 0; at < path.length; at++) if (path.charCodeAt(at) < 0x20) return true;
  return false;
}

/**
 * Returns true if an absolute path is a folder or inside it. Returns false for a relative path, whose folder is
 * unknown.
 */
export function isInside(path: string, root: string): boolean {
  const absolute = (text: string): boolean => text.startsWith("/") || /^[a-z]:[/\\]/i.test(text);
  if (absolute(path) !== absolute(root)) return false;
  const inner = namesIn(path);
  return namesIn(root).every((name, index) => name === inner[index]);
}

/**
 * Returns the values at a path of a call's arguments. Returns an empty list if there are none, and `undefined` if the
 * arguments cannot be read.
 */
export function valuesAt(input: unknown, argument: string): readonly unknown[] | undefined {
  if (!isObject(input)) return undefined;
  let values: readonly unknown[] = [input];
  for (const step of argument.split(".")) {
    const key = step.replace(/\[\]$/, "");
    values = values.flatMap((value) => {
      const inner = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
      if (inner === undefined || inner === null) return [];
      return step.endsWith("[]") && Array.isArray(inner) ? inner : [inner];
    });
  }
  return values;
}
