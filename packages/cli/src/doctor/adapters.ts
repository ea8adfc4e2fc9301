import semver from "semver";
import { frameworks, unserved } from "../frameworks.js";
import { find, type Installed } from "../project/installed.js";
import { dependenciesOf, type Project } from "../project/manifest.js";
import { type Finding, note, ok, wrong } from "./finding.js";

/** Checks the frameworks among the direct dependencies: whether an adapter supports their version, and is installed. */
export async function checkFrameworks({ folder, manifest }: Project, install: string): Promise<readonly Finding[]> {
  const dependencies = dependenciesOf(manifest);
  const used = frameworks.filter(({ name }) => Object.hasOwn(dependencies, name));
  const agent = await find("@suite/agent", folder);
  const others = Object.keys(unserved).filter((name) => Object.hasOwn(dependencies, name));
  const refused = others.map((name) => notServed(name, install));
  if (used.length === 0)
    return agent !== undefined || refused.length > 0
      ? refused
      : [note("framework", "This project does not depend on a framework that the suite has an adapter for.")];
  const adapters = await Promise.all(used.map(({ adapter }) => find(adapter, folder)));
  const served = agent !== undefined || adapters.some((each) => each !== undefined);
  const row = async (index: number): Promise<Finding> => {
    const { name, adapter, versions } = used[index] as (typeof used)[number];
    const installed = await find(name, folder);
    const there = adapters[index];
    const range = there?.manifest.peerDependencies?.[name] ?? versions;
    if (installed === undefined)
      return wrong(name, "It is a dependency, but is not installed.", install.replace(/ .*/, " install"));
    return judged(installed, adapter, there, range, install, served);
  };
  return [...(await Promise.all(used.map((_, index) => row(index)))), ...refused];
}

/** Returns the finding for a package that rejects plugins when they are attached. */
function notServed(name: string, install: string): Finding {
  const instead = unserved[name] ?? "";
  const { adapter = "", versions = "" } = frameworks.find((each) => each.name === instead) ?? {};
  return note(
    name,
    `No adapter supports it. ${adapter} supports ${instead} ${versions}`,
    `${install} "${instead}@${versions}"`,
  );
}

function judged(
  { name, version }: Installed,
  adapter: string,
  there: Installed | undefined,
  range: string,
  install: string,
  served: boolean,
): Finding {
  const found = semver.valid(version) ?? "with an invalid version";
  if (!semver.satisfies(version, range, { includePrerelease: true }))
    return wrong(name, `${found}: ${adapter} takes ${range}`, `${install} "${name}@${range}"`);
  if (there !== undefined) return ok(name, `${found}, which ${adapter} takes`);
  const missing = `${found}, and its adapter ${adapter} is not installed`;
  const add = `${install} ${adapter}, then suite init`;
  // A client that is installed together with a framework with an adapter is usually a dependency of that framework.
  return served ? note(name, missing, `${add}, where you use it by itself`) : wrong(name, missing, add);
}
