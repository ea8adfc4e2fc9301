// Writes the addresses of the repository into each manifest, before publishing: npm's provenance requires that the
// manifest names the repository of the job that publishes it.
//
//   node scripts/release/addresses.mjs https://host/owner/name
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { publishable, root } from "../workspaces.mjs";

/**
 * A manifest with the addresses of its repository.
 *
 * @template {object} T
 * @param {T} manifest
 * @param {string} address of the repository, such as https://host/owner/name
 * @param {string} directory of the package in the repository
 */
export function withAddresses(manifest, address, directory) {
  const { protocol, pathname } = new URL(address);
  if (protocol !== "https:" || !/^\/[^/]+\/[^/]+$/.test(pathname)) {
    throw new Error("Pass the address of the repository: https://host/owner/name.");
  }
  return {
    ...manifest,
    repository: { type: "git", url: `git+${address}.git`, directory },
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs: { url: `${address}/issues` },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [address = ""] = process.argv.slice(2);
  for (const { dir } of publishable()) {
    const path = join(root, dir, "package.json");
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, `${JSON.stringify(withAddresses(manifest, address, dir), null, 2)}\n`);
  }
}
