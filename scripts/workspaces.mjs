import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * @typedef {Record<string, string>} Versions
 * @typedef {{
 *   name: string, private?: boolean, exports?: Record<string, string | { default: string }>, bin?: Record<string, string>, files?: string[],
 *   dependencies?: Versions, devDependencies?: Versions, optionalDependencies?: Versions, peerDependencies?: Versions,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }>, workspaces?: string[]
 * }} Manifest
 */

export const root = resolve(import.meta.dirname, "..");

/** @param {string} dir relative to the root @returns {Manifest} */
export const manifestOf = (dir) => JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8"));

/** Every workspace of the root manifest: its folder relative to the root, and its manifest. */
export function workspaces() {
  return (manifestOf(".").workspaces ?? [])
    .flatMap((pattern) => (pattern.endsWith("/*") ? children(pattern.slice(0, -2)) : [pattern]))
    .filter((dir) => existsSync(join(root, dir, "package.json")))
    .map((dir) => ({ dir, manifest: manifestOf(dir) }));
}

/** The workspaces that go to the registry. */
export const publishable = () => workspaces().filter(({ manifest }) => manifest.private !== true);

/** The built modules that a package exports, relative to the root. @param {string} dir */
export function entriesOf(dir) {
  const targets = Object.values(manifestOf(dir).exports ?? {}).map((t) => (typeof t === "string" ? t : t.default));
  return targets.filter((target) => target.startsWith("./dist/")).map((target) => join(dir, target));
}

/** @param {string} parent */
function children(parent) {
  if (!existsSync(join(root, parent))) return [];
  const names = readdirSync(join(root, parent)).sort();
  return names.map((name) => `${parent}/${name}`);
}
