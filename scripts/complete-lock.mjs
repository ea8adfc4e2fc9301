// `npm install` leaves out of the lock file those optional packages of other platforms that its registry did not show it,
// and `npm ci` then refuses the lock file, there and elsewhere. This adds them by version, with the platform that their
// names tell, so that only a machine of that platform fetches them. Run it after `npm install`; it changes nothing else.
// An argument names the folder of another lock file.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspaces.mjs";

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, optionalDependencies?: Record<string, string> }} Entry */

const file = join(root, process.argv[2] ?? "", "package-lock.json");
/** @type {{ packages: Record<string, Entry> }} */
const lock = JSON.parse(readFileSync(file, "utf8"));

const systems = ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** @param {string} name as `@swc/core-linux-x64-musl` */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  if (os === undefined || cpu === undefined) return undefined;
  const abi = words.at(-1) ?? "";
  const libc =
    os !== "linux" ? undefined : abi.startsWith("musl") ? "musl" : abi.startsWith("gnu") ? "glibc" : undefined;
  return { cpu: [cpu], ...(libc && { libc: [libc] }), os: [os] };
}

/** Whether Node, from the package at `path`, would find one of this name. @param {string} path @param {string} name */
function finds(path, name) {
  const folders = path.split("/node_modules/").map((_, index, all) => all.slice(0, index + 1).join("/node_modules/"));
  return ["", ...folders].some((folder) => join(folder, "node_modules", name) in lock.packages);
}

let added = 0;
for (const [path, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (finds(path, name)) continue;
    const platform = platformOf(name);
    if (platform === undefined || !/^\d/.test(version))
      throw new Error(`${path} needs ${name}@${version}: add it by hand`);
    lock.packages[`node_modules/${name}`] = { version, ...platform, ...(dev && { dev }), optional: true };
    added += 1;
  }
}

const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(`package-lock.json: ${added} packages of other platforms added`);
