import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Manifest, manifestIn, type Project } from "./manifest.js";

/** An installed package. */
export interface Installed {
  readonly name: string;
  readonly version: string;
  /** The folder with all links resolved, so that one package has one folder. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** More packages than any project has. */
const MOST = 50_000;

/** Resolves a package name from `folder` as Node does: in each node_modules from there upwards. */
export async function find(name: string, folder: string): Promise<Installed | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const there = join(at, "node_modules", name);
    const manifest = await manifestIn(there);
    if (manifest !== undefined)
      return { name, version: manifest.version ?? "", folder: await realpath(there), manifest };
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Returns the packages that a project reaches, by folder: its dependencies, their dependencies, and installed packages
 * of the suite.
 */
export async function installedIn({ folder, manifest }: Project): Promise<ReadonlyMap<string, Installed>> {
  const found = new Map<string, Installed>();
  const visit = async (names: readonly string[], from: string): Promise<readonly Installed[]> => {
    const added: Installed[] = [];
    for (const name of names) {
      const installed = await find(name, from);
      if (installed === undefined || found.has(installed.folder) || found.size >= MOST) continue;
      found.set(installed.folder, installed);
      added.push(installed);
    }
    return added;
  };
  const lying = await readdir(join(folder, "node_modules/@suite")).catch(() => []);
  const first = [...neededBy(manifest, true), ...lying.map((name) => `@suite/${name}`)];
  const waiting = [...(await visit(first, folder))];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    waiting.push(...(await visit(neededBy(next.manifest, false), next.folder)));
  return found;
}

const neededBy = (manifest: Manifest, isProject: boolean): readonly string[] => [
  ...new Set(
    [
      manifest.dependencies,
      manifest.optionalDependencies,
      manifest.peerDependencies,
      isProject ? manifest.devDependencies : undefined,
    ].flatMap((list) => Object.keys(list ?? {})),
  ),
];
