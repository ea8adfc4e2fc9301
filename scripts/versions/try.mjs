import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withOwn } from "../pack.mjs";
import { root } from "../workspaces.mjs";

const FLAGS = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=2"];
const newNode = join(root, "integration-tests/frameworks/node_modules/.bin/node");

/** @typedef {{ ok: boolean, output: string }} Ran */

/** @param {string} command @param {string[]} args @param {string} cwd @param {Record<string, string>} [env] @returns {Promise<Ran>} */
const run = (command, args, cwd, env) =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26, timeout: 300_000 };
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + stderr }),
    );
  });

/** Returns true if a package that was installed needs a newer Node than this one. @param {string} folder @param {string[]} names */
function needsNewNode(folder, names) {
  const current = Number(process.versions.node.split(".")[0]);
  return names.some((name) => {
    const { engines } = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
    return Number(/^(?:>=|\^)\s*(\d+)/.exec(engines?.node ?? "")?.[1] ?? 0) > current;
  });
}

/**
 * Installs the packed packages of a round with one version of each peer in an empty project, imports them, and runs the
 * group's tests with these versions.
 * @param {import("./rounds.mjs").Round} round
 * @param {string} folder does not exist yet
 * @param {Map<string, string>} tarballs
 * @returns {Promise<Ran>}
 */
export async function tryRound(
  { packages, peers, versions, companions = [], companionsOf, tests, isNewNode = false },
  folder,
  tarballs,
) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "name": "versions", "private": true, "type": "module" }\n');
  const wanted = peers.map((peer) => `${peer}@${versions[peer]}`);
  const further = [...companions, ...(companionsOf?.(versions) ?? [])];
  const own = withOwn(packages).map((name) => tarballs.get(name) ?? name);
  const installed = await run("npm", ["install", "--save-exact", ...FLAGS, ...own, ...wanted, ...further], folder);
  if (!installed.ok) return installed;

  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const others = Object.keys(dependencies).filter((name) => !name.startsWith("@suite/"));
  const isNew = isNewNode || needsNewNode(folder, others);
  if (isNew && !existsSync(newNode)) {
    return { ok: false, output: "These versions need a newer Node: npm ci --prefix integration-tests/frameworks\n" };
  }
  const node = isNew ? newNode : process.execPath;
  const imports = packages.map((name) => `await import(${JSON.stringify(name)});`).join(" ");
  const loaded = await run(node, ["--input-type=module", "-e", imports], folder);
  if (!loaded.ok) return loaded;

  const jest = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning", "node_modules/jest/bin/jest.js"];
  const config = ["--config", "integration-tests/versions/jest.config.mjs", "--silent", ...tests];
  return run(node, [...jest, ...config], root, { VERSIONS_PROJECT: folder });
}
