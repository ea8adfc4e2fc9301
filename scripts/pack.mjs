import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { publishable, root } from "./workspaces.mjs";

/**
 * Packs every publishable package as it would go to the registry. What is in `dist` is packed: build first.
 * @param {string} destination an existing folder
 */
export function pack(destination) {
  const names = publishable().flatMap(({ manifest }) => ["--workspace", manifest.name]);
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination, ...names];
  const output = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  /** @type {{ name: string, filename: string, files: { path: string }[] }[]} */
  const packed = JSON.parse(output);
  return packed.map(({ name, filename, files }) => ({
    name,
    tarball: join(destination, filename),
    files: files.map(({ path }) => path),
  }));
}

/**
 * Returns the packages of a list with those of this repository that they depend on. No registry has them yet.
 * @param {readonly string[]} list
 */
export function withOwn(list) {
  const manifests = new Map(publishable().map(({ manifest }) => [manifest.name, manifest]));
  const all = new Set(list);
  for (const name of all) {
    for (const needed of Object.keys(manifests.get(name)?.dependencies ?? {}))
      if (manifests.has(needed)) all.add(needed);
  }
  return [...all];
}
