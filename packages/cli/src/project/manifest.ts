import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord } from "@suite/kit";
import { CliError } from "../errors.js";

type Versions = Readonly<Record<string, string>>;

/** The parts of a package.json that are read here. */
export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly type?: string;
  readonly engines?: Versions;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Reads the manifest of a folder. Returns `undefined` if it is missing or unreadable. */
export async function manifestIn(folder: string): Promise<Manifest | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return isRecord(read) ? checked({ ...read }) : undefined;
  } catch {
    return undefined;
  }
}

const lists = ["engines", "dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

/** Returns a manifest without members of the wrong type. */
function checked(read: Readonly<Record<string, unknown>>): Manifest {
  const texts = ["name", "version", "type"].filter((key) => typeof read[key] === "string");
  const { peerDependenciesMeta: meta } = read;
  return Object.fromEntries([
    ...texts.map((key) => [key, read[key]]),
    ...lists.map((key) => [key, versions(read[key])]),
    ...(typeof meta === "object" && meta !== null ? [["peerDependenciesMeta", meta]] : []),
  ]) as Manifest;
}

const versions = (list: unknown): Versions =>
  typeof list === "object" && list !== null
    ? Object.fromEntries(
        Object.entries(list).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
      )
    : {};

/** Returns the direct dependencies of a project with their ranges, from all lists of its manifest. */
export const dependenciesOf = ({ dependencies, devDependencies, optionalDependencies }: Manifest): Versions => ({
  ...devDependencies,
  ...optionalDependencies,
  ...dependencies,
});

/** A folder with a package.json. */
export interface Project {
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Returns the project that contains a folder: the nearest folder with a package.json, from the folder itself upwards.
 *
 * @throws CliError `ERR_CLI_PROJECT`
 */
export async function projectOf(folder: string): Promise<Project> {
  for (let at = folder; ; at = dirname(at)) {
    const manifest = await manifestIn(at);
    if (manifest !== undefined) return { folder: at, manifest };
    if (dirname(at) === at)
      throw new CliError(
        "ERR_CLI_PROJECT",
        "No package.json was found here or in a parent folder. Run this in the folder of a project.",
      );
  }
}
