import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "./usage.js";

/**
 * Returns the files that the arguments name, in order and each once. A pattern with `*`, `?` or `**` is expanded, for
 * shells that do not do so, unless a file has that name. Names that begin with a dot match no wildcard.
 *
 * @throws {UsageError} for a folder, and for a pattern that matches no file
 */
export async function filesOf(args: readonly string[]): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const arg of args) {
    const found = arg === "-" ? undefined : await stat(arg).catch(() => undefined); // reported when it is read
    if (found?.isDirectory() === true) {
      throw new UsageError(`${arg} is a folder. Pass the files in it, such as '${join(arg, "**", "*.txt")}'.`);
    }
    const isPattern = arg !== "-" && found === undefined && /[*?]/.test(arg);
    const all = isPattern ? await expanded(arg) : [arg];
    if (all.length === 0) throw new UsageError(`${arg} matches no file.`);
    for (const file of all) files.add(file);
  }
  return [...files];
}

async function expanded(pattern: string): Promise<readonly string[]> {
  // A repeated `**` matches the same files, and would be walked once more for each folder.
  const parts = pattern.replaceAll("\\", "/").split("/");
  const [first = "", ...rest] = parts.filter((part, index) => part !== "**" || parts[index + 1] !== "**");
  const found: string[] = [];
  // An absolute pattern begins with an empty part.
  if (first === "") await walk("/", rest, found);
  else await walk("", [first, ...rest], found);
  return found.sort();
}

/** Adds the files below a folder that match the parts of a pattern. Links to folders are not followed by `**`. */
async function walk(folder: string, [part = "", ...rest]: readonly string[], found: string[]): Promise<void> {
  if (part === "**") await walk(folder, rest, found);
  else if (!/[*?]/.test(part) && rest.length > 0) return walk(join(folder, part), rest, found);
  const entries = await readdir(folder === "" ? "." : folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (part === "**") {
      if (entry.isDirectory() && !entry.name.startsWith(".")) await walk(path, [part, ...rest], found);
    } else if (matches(entry.name, part)) {
      if (rest.length > 0) await walk(path, rest, found);
      else if (entry.isFile() || (entry.isSymbolicLink() && (await stat(path).catch(() => undefined))?.isFile())) {
        found.push(path);
      }
    }
  }
}

/** Returns true if a name matches a part of a pattern. Takes at most the product of their lengths. */
function matches(name: string, part: string): boolean {
  if (name.startsWith(".") && !part.startsWith(".")) return false;
  let [at, of, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    if (part[of] === "*") {
      star = of++;
      mark = at;
    } else if (of < part.length && (part[of] === "?" || part[of] === name[at])) {
      of++;
      at++;
    } else if (star >= 0) {
      of = star + 1;
      at = ++mark;
    } else return false;
  }
  while (part[of] === "*") of++;
  return of === part.length;
}
