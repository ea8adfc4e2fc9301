import { dirname, join } from "node:path";
import { isThere } from "./is-there.js";

/** The lock file of each package manager, and the command that adds a package. */
const managers: readonly (readonly [lockFile: string, install: string])[] = [
  ["package-lock.json", "npm install"],
  ["npm-shrinkwrap.json", "npm install"],
  ["pnpm-lock.yaml", "pnpm add"],
  ["yarn.lock", "yarn add"],
  ["bun.lock", "bun add"],
  ["bun.lockb", "bun add"],
];

/** Returns the command that adds packages to a project, by the lock file in its folder or in one above. */
export async function installCommand(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    for (const [lockFile, install] of managers) if (await isThere(join(at, lockFile))) return install;
    if (dirname(at) === at) return "npm install";
  }
}
