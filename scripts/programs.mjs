// Real programs for the tests: the one that an environment variable names, or one on the PATH; else out of its Docker
// image; else built from Go modules, once, into a cache outside the repository.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { onPath } from "./needs.mjs";
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

/**
 * The program of a recipe, or why there is none.
 *
 * @param {Recipe} recipe
 * @returns {{ program: string } | { missing: string }}
 */
export function find(recipe) {
  const { title, variable, names } = recipe;
  const there = process.env[variable] || onPath(names).find((program) => takesConfig(program, recipe));
  if (there) return { program: there };
  const why = [`neither ${names.join(" nor ")} on the PATH`];
  for (const [name, make] of /** @type {const} */ ([
    ["Docker", fromDocker],
    ["Go", fromGo],
  ])) {
    try {
      const program = make(recipe);
      if (program !== undefined) return { program };
      why.push(`no ${name}`);
    } catch (error) {
      why.push(`${name} could not give it (${reason(error)})`);
    }
  }
  return { missing: `there is no ${title}: ${why.join(", ")}.` };
}

/** The last line that a program which failed has printed. @param {unknown} error */
function reason(error) {
  const { stderr, message } = /** @type {{ stderr?: Buffer, message: string }} */ (error);
  const lines = `${message}\n${stderr ?? ""}`.split("\n").filter((line) => line.trim() !== "");
  return (lines.at(-1) ?? "").trim().slice(0, 200);
}

/**
 * Provides programs to Jest, before the tests that need these: their variables name them, or a line says that the tests are
 * skipped.
 *
 * @param {readonly Recipe[]} recipes
 */
export function provide(...recipes) {
  for (const recipe of recipes) {
    const found = find(recipe);
    if ("program" in found) process.env[recipe.variable] = found.program;
    else if (process.env.CI) throw new Error(`The tests cannot run: ${found.missing}`);
    else console.error(`Tests are skipped: ${found.missing}`);
  }
}

/** Whether it has the components that the configuration names. @param {string} program @param {Recipe} recipe */
function takesConfig(program, { folder, env }) {
  const args = ["validate", `--config=${join(folder, "config.yaml")}`];
  return spawnSync(program, args, { env: { ...process.env, ...env } }).status === 0;
}

/** Out of its image, where an engine answers and its programs run here as they are. @param {Recipe} recipe */
function fromDocker({ names, image }) {
  if (process.platform !== "linux" || spawnSync("docker", ["info"], { timeout: 10_000 }).status !== 0) return undefined;
  const compose = readFileSync(join(root, "docker-compose.yml"), "utf8");
  const version = new RegExp(`image: ${image.name}:(\\S+)`).exec(compose)?.[1];
  const program = join(caches, `${names[0]}-${version}`);
  if (existsSync(program)) return program;
  return make(program, (path) => {
    /** @param {readonly string[]} args */
    const docker = (...args) =>
      execFileSync("docker", args, { encoding: "utf8", stdio: "pipe", timeout: LIMIT }).trim();
    const container = docker("create", `${image.name}:${version}`);
    docker("cp", `${container}:${image.program}`, path);
    docker("rm", container);
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

/** The folder into which Go puts itself, on the PATH or not. */
const goFolder = () => join(process.env.GOROOT || "/usr/local/go", "bin");

/** @returns {string | undefined} */
export const findGo = () => onPath(["go"], [goFolder()])[0];

/** Builds with exactly the modules that go.mod and go.sum pin. @param {string} go @param {string} folder @param {string} what @param {string} program */
export const goBuild = (go, folder, what, program) =>
  run(go, ["build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", "-o", program, what], folder);

/** A download that hangs is given up. In milliseconds. */
const LIMIT = 1_800_000;

/** Runs a program, and lets it find Go, too. @param {string} program @param {readonly string[]} args @param {string} cwd */
export function run(program, args, cwd) {
  const PATH = [process.env.PATH, goFolder()].join(delimiter);
  const env = { ...process.env, PATH, GOFLAGS: `${process.env.GOFLAGS ?? ""} -buildvcs=false` };
  execFileSync(program, args, { cwd, env, stdio: "pipe", timeout: LIMIT });
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
