import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { stage } from "./bundle.mjs";
import { publishable } from "./workspaces.mjs";

/**
 * Packs every publishable package as it goes to the registry. Build first.
 * @param {string} destination an existing folder
 */
export function pack(destination) {
  const staged = join(destination, ".staged");
  const packages = publishable().map(({ dir }, index) => ({ dir, folder: join(staged, `${index}`) }));
  for (const { dir, folder } of packages) stage(dir, folder);
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination];
  const output = execFileSync("npm", [...args, ...packages.map(({ folder }) => folder)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  rmSync(staged, { recursive: true });
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
