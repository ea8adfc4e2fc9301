// Real programs for the tests: the one that an environment variable names, or one on the PATH; else out of its Docker
// image; else built from Go modules, once, into a cache outside the repository.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "./workspaces.mjs";

/**
 * @typedef {{
 *   title: string,
 *   variable: string,
 *   names: readonly string[],
 *   folder: string,
 *   env?: Record<string, string>,
 *   image: { name: string, program: string },
 *   sources: readonly string[],
 *   build: (go: string, program: string, scratch: string) => void,
 * }} Recipe
 *
 * `variable` of the environment names one. `names` are looked for on the PATH. `folder` holds its `config.yaml`, which
 * asks for `env`, and the `sources`, which say what is built. `image` is of docker-compose.yml, with the `program` in it.
 */

export const caches = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "suite");

/** Where it is; undefined where there is neither one, nor Docker, nor Go. @param {Recipe} recipe @returns {string | undefined} */
export function find(recipe) {
  const named = process.env[recipe.variable];
  if (named) return named;
  return onPath(recipe.names).find((program) => takesConfig(program, recipe)) ?? fromDocker(recipe) ?? fromGo(recipe);
}

/**
 * For Jest, before the tests that need these: their variables name them, or a line says that the tests are skipped.
 *
 * @param {readonly Recipe[]} recipes
 */
export function provide(...recipes) {
  for (const recipe of recipes) {
    const program = find(recipe);
    if (program !== undefined) process.env[recipe.variable] = program;
    else if (process.env.CI) throw new Error(`The tests cannot run: ${missing(recipe)}`);
    else console.error(`Tests are skipped: ${missing(recipe)}`);
  }
}

/** @param {Recipe} recipe */
export const missing = ({ title, names }) =>
  `there is no ${title}: neither ${names.join(" nor ")} on the PATH, nor Docker, nor Go to build it.`;

/** Whether it has the components that the configuration names. @param {string} program @param {Recipe} recipe */
function takesConfig(program, { folder, env }) {
  const args = ["validate", `--config=${join(folder, "config.yaml")}`];
  return spawnSync(program, args, { env: { ...process.env, ...env } }).status === 0;
}

/** @param {readonly string[]} names @param {readonly string[]} further folders */
function onPath(names, further = []) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...further];
  return names.flatMap((name) => folders.map((dir) => join(dir, name))).filter((path) => existsSync(path));
}

/** Out of its image, where an engine answers and its programs run here as they are. @param {Recipe} recipe */
function fromDocker({ names, image }) {
  if (process.platform !== "linux" || spawnSync("docker", ["info"], { timeout: 10_000 }).status !== 0) return undefined;
  const compose = readFileSync(join(root, "docker-compose.yml"), "utf8");
  const version = new RegExp(`image: ${image.name}:(\\S+)`).exec(compose)?.[1];
  const program = join(caches, `${names[0]}-${version}`);
  if (existsSync(program)) return program;
  return make(program, (path) => {
    const container = execFileSync("docker", ["create", `${image.name}:${version}`], { encoding: "utf8" }).trim();
    execFileSync("docker", ["cp", `${container}:${image.program}`, path]);
    execFileSync("docker", ["rm", container]);
  });
}

/** @param {Recipe} recipe */
function fromGo({ title, names, folder, sources, build }) {
  const hash = createHash("sha256");
  for (const name of sources) hash.update(readFileSync(join(folder, name)));
  const program = join(caches, `${names[0]}-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(program)) return program;
  const go = findGo();
  if (go === undefined) return undefined;
  console.error(`Building from Go modules, once, for some minutes: ${title}`);
  return make(program, (path, scratch) => build(go, path, scratch));
}

/** @returns {string | undefined} */
export const findGo = () => onPath(["go"], ["/usr/local/go/bin"])[0];

/** Builds with exactly the modules that go.mod and go.sum pin. @param {string} go @param {string} folder @param {string} what @param {string} program */
export const goBuild = (go, folder, what, program) =>
  run(go, ["build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", "-o", program, what], folder);

/** @param {string} program @param {readonly string[]} args @param {string} cwd */
export function run(program, args, cwd) {
  const env = { ...process.env, GOFLAGS: `${process.env.GOFLAGS ?? ""} -buildvcs=false` };
  execFileSync(program, args, { cwd, env, stdio: "pipe" });
}

/** Whoever looks meanwhile sees nothing half made. @param {string} program @param {(path: string, scratch: string) => void} work */
function make(program, work) {
  inScratch((scratch) => {
    const path = join(scratch, "program");
    work(path, scratch);
    renameSync(path, program);
  });
  return program;
}

/** @param {(scratch: string) => void} work in a folder that is gone afterwards */
export function inScratch(work) {
  mkdirSync(caches, { recursive: true });
  const scratch = mkdtempSync(join(caches, "scratch-"));
  try {
    work(scratch);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
