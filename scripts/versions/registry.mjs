import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { manifestOf, publishable } from "../workspaces.mjs";
import { elsewhere, groups } from "./groups.mjs";

/** @typedef {import("./table.mjs").Versions} Versions */

const run = promisify(execFile);

/** Compares released versions, such as "6.0.12". @param {string} a @param {string} b */
function compare(a, b) {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  return [0, 1, 2].map((at) => (left?.[at] ?? 0) - (right?.[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/**
 * Returns the oldest and the newest version in a range. If the range begins in 0.x, the newest of each minor is returned
 * too, since each may change anything.
 * @param {string} name @param {string} range
 */
async function endsOf(name, range) {
  const { stdout } = await run("npm", ["view", `${name}@${range}`, "version", "--json"]);
  /** @type {string[]} */
  const versions = [JSON.parse(stdout || "[]")].flat();
  versions.sort(compare);
  const minorOf = (/** @type {string} */ version) => version.split(".", 2).join(".");
  const minors = versions.filter((version, at) => minorOf(version) !== minorOf(versions[at + 1] ?? ""));
  const between = versions[0]?.startsWith("0.") ? minors : [];
  const ends = [versions[0], ...between, versions.at(-1)].filter((version) => version !== undefined);
  if (ends.length === 0) throw new Error(`${name} has no version in ${range}.`);
  return [...new Set(ends)];
}

/** Returns the oldest and newest versions in all peer ranges, from the registry. @returns {Promise<Versions>} */
export async function newestVersions() {
  /** @type {Versions} */
  const all = {};
  for (const { dir } of publishable()) {
    const { name, peerDependencies = {} } = manifestOf(dir);
    const tested = Object.entries(peerDependencies).filter(([peer]) => !elsewhere.includes(peer));
    for (const [peer, range] of tested) {
      if (!groups.some(({ packages, peers }) => packages.includes(name) && peers.includes(peer)))
        throw new Error(`No group tests ${peer} with ${name}: add it to scripts/versions/groups.mjs.`);
      const ends = await Promise.all(range.split(" || ").map(async (each) => [each, await endsOf(peer, each)]));
      all[name] = { ...all[name], [peer]: Object.fromEntries(ends) };
    }
  }
  return all;
}
