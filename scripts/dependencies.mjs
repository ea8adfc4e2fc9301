// The tables in docs/dependencies.md: all packages that users of the published packages get, from the lock files.
//
//   node scripts/dependencies.mjs         writes them; a test fails if they are out of date
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishable, root } from "./workspaces.mjs";

/** @typedef {{ version: string, license?: string, link?: boolean, dependencies?: object, optionalDependencies?: object }} Locked */
export const page = join(root, "docs/dependencies.md");
const marks = /(?<=<!-- (\w+): node scripts\/dependencies\.mjs -->\n)[\s\S]*?(?=<!-- end -->)/g;

/** The root's lock file, and those of folders with a lock file of their own. @type {Record<string, Locked>[]} */
const locks = ["", "integration-tests/re2/"].map(
  (folder) => JSON.parse(readFileSync(join(root, `${folder}package-lock.json`), "utf8")).packages,
);

/** The place of a package that another one imports. @param {Record<string, Locked>} lock @param {string} from @param {string} name */
function placeOf(lock, from, name) {
  for (let at = `${from}/`; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/")))) {
    const place = `${at}node_modules/${name}`;
    if (lock[place] !== undefined) return place;
  }
  return lock[`node_modules/${name}`] && `node_modules/${name}`;
}

/** Returns the rows of a table: each package with those that need it. @param {"dependencies" | "peerDependencies"} kind */
function rowsOf(kind) {
  /** @type {Map<string, Set<string>>} */
  const rows = new Map();
  /** @param {Record<string, Locked>} lock @param {string} from @param {string} name @param {string} by */
  const visit = (lock, from, name, by) => {
    const place = placeOf(lock, from, name);
    const { version, license = "none", link, ...needs } = lock[place ?? ""] ?? { version: "", link: true };
    if (place === undefined || link === true) return;
    const row = `| \`${name}\` | ${version} | ${license} |`;
    const known = rows.get(row) ?? new Set();
    if (known.has(by)) return;
    rows.set(row, known.add(by));
    for (const each of Object.keys({ ...needs.dependencies, ...needs.optionalDependencies }))
      visit(lock, place, each, by);
  };
  for (const { dir, manifest } of publishable()) {
    const names =
      kind === "peerDependencies" ? { ...manifest[kind], ...manifest.peerDependenciesMeta } : manifest[kind];
    for (const name of Object.keys(names ?? {})) {
      for (const lock of locks)
        visit(lock, dir, name, kind === "dependencies" ? manifest.name.slice(7) : `\`${name}\``);
    }
  }
  return [...rows].map(([row, by]) => `${row} ${[...by].sort().join(", ")} |`).sort();
}

/** The page with current tables. */
export const current = () =>
  readFileSync(page, "utf8").replace(marks, (_, kind) => {
    const head = `| package | version | licence | ${kind === "peerDependencies" ? "comes with" : "needed by"} |`;
    return [head, "| --- | --- | --- | --- |", ...rowsOf(kind)].join("\n").concat("\n");
  });

if (process.argv[1] === import.meta.filename) writeFileSync(page, current());
