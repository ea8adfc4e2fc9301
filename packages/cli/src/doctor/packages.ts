import semver from "semver";
import { frameworks } from "../frameworks.js";
import { find, type Installed } from "../project/installed.js";
import { type Finding, note, ok, wrong } from "./finding.js";

/** Checks the installed packages of the suite: versions, copies of core, peers, and the version of Node. */
export async function checkPackages(all: readonly Installed[], install: string): Promise<readonly Finding[]> {
  const suite = all.filter(({ name }) => name.startsWith("@suite/"));
  if (suite.length === 0)
    return [
      wrong("@suite/…", "No package of the suite is installed here.", "suite init adds what your framework needs"),
    ];
  const names = [...new Set(suite.map(({ name }) => name))].sort();
  const rows = await Promise.all(
    names.map((name) =>
      rowOf(
        suite.filter((each) => each.name === name),
        install,
      ),
    ),
  );
  return [nodeRow(all), ...versionsRow(suite, install), ...rows];
}

const displayVersion = (version: string): string => semver.valid(version) ?? "with an invalid version";

async function rowOf(copies: readonly Installed[], install: string): Promise<Finding> {
  const [first] = copies as readonly [Installed];
  const versions = [...new Set(copies.map(({ version }) => displayVersion(version)))];
  const found = versions.join(" and ");
  if (versions.length > 1)
    return wrong(
      first.name,
      `${copies.length} copies: ${found}`,
      `keep a single version: ${install} ${first.name}@${newest(versions)}, and find what requires another (npm ls ${first.name})`,
    );
  const lacking = (await Promise.all(copies.map(peersOf))).flat();
  const [lack] = lacking;
  if (lack !== undefined)
    return wrong(
      first.name,
      `${found}, but ${lacking.map(({ problem }) => problem).join("; ")}`,
      advice(lacking, install),
    );
  if (copies.length === 1) return ok(first.name, found);
  return note(
    first.name,
    `${found}, ${copies.length} copies: they work together, but each is loaded`,
    `npm dedupe, to keep one copy`,
  );
}

const newest = (versions: readonly string[]): string =>
  semver.rsort(versions.filter((each) => semver.valid(each)))[0] ?? "latest";

/** Reports a peer that is missing, or has an unsupported version. */
interface Lack {
  readonly problem: string;
  readonly peer: string;
  readonly range: string;
}

const advice = (lacking: readonly Lack[], install: string): string =>
  `${install} ${lacking.map(({ peer, range }) => `"${peer}@${range}"`).join(" ")}`;

async function peersOf({ manifest, folder }: Installed): Promise<readonly Lack[]> {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const lacking: Lack[] = [];
  for (const [peer, range] of Object.entries(peerDependencies)) {
    const found = await find(peer, folder);
    if (found === undefined) {
      if (peerDependenciesMeta[peer]?.optional !== true)
        lacking.push({ problem: `${peer} is not installed`, peer, range });
    } else if (!semver.satisfies(found.version, range, { includePrerelease: true }))
      lacking.push({ problem: `${peer} is ${displayVersion(found.version)} instead of ${range}`, peer, range });
  }
  return lacking;
}

/** Checks the version of Node against the packages of the suite and the frameworks. */
function nodeRow(all: readonly Installed[]): Finding {
  const { version } = process;
  const withEngines = all.filter(
    ({ name }) => name.startsWith("@suite/") || frameworks.some((each) => each.name === name),
  );
  const refusing = withEngines.find(({ manifest: { engines } }) => !semver.satisfies(version, engines?.node ?? "*"));
  if (refusing === undefined) return ok("node", version.slice(1));
  const range = refusing.manifest.engines?.node ?? "*";
  return wrong("node", `${version.slice(1)}, and ${refusing.name} needs ${range}`, `install Node ${range}`);
}

/** Checks that the packages of the suite have one version, since they are released together. */
function versionsRow(suite: readonly Installed[], install: string): readonly Finding[] {
  const versions = [...new Set(suite.map(({ version }) => displayVersion(version)))];
  if (versions.length < 2) return [];
  const latest = newest(versions);
  const outdated = [
    ...new Set(suite.filter(({ version }) => version !== latest).map(({ name }) => `${name}@${latest}`)),
  ];
  return [
    wrong(
      "versions",
      `The packages of the suite have ${versions.length} different versions: ${versions.join(", ")}. They are released together.`,
      `${install} ${outdated.join(" ")}`,
    ),
  ];
}
