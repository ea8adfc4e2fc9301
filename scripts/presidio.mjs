// A Python that has Presidio's analyzer: `node scripts/presidio.mjs` prints where it is. PRESIDIO_PYTHON names one; else
// it is installed from PyPI, once, into a cache outside the repository.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { caches, inScratch } from "./programs.mjs";
import { root } from "./workspaces.mjs";

const requirements = join(root, "integration-tests", "presidio", "requirements.txt");

/** @returns {{ python: string } | { missing: string }} */
function find() {
  if (process.env.PRESIDIO_PYTHON) return { python: process.env.PRESIDIO_PYTHON };
  const version = output("python3", ["--version"]);
  if (version === undefined) return { missing: "there is no python3." };
  const hash = createHash("sha256").update(readFileSync(requirements)).update(version).digest("hex");
  const folder = join(caches, `presidio-${hash.slice(0, 16)}`);
  if (!existsSync(folder)) {
    console.error("Installing from PyPI, once, about 400 MB: Presidio's analyzer");
    const failure = install(folder);
    if (failure !== undefined) return { missing: failure };
  }
  return { python: join(folder, "bin", "python") };
}

/** Whoever looks meanwhile sees nothing half made. @param {string} folder @returns {string | undefined} why not */
function install(folder) {
  let failure;
  inScratch((scratch) => {
    const made = join(scratch, "venv");
    const pip = ["-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--only-binary", ":all:"];
    if (output("python3", ["-m", "venv", made]) === undefined) failure = "python3 has no venv.";
    else if (output(join(made, "bin", "python"), [...pip, "-r", requirements]) === undefined) {
      failure = "pip could not install it.";
    } else renameSync(made, folder);
  });
  return failure;
}

/** The output of a program; undefined where it fails. @param {string} program @param {readonly string[]} args */
function output(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: 900_000 });
  if (status === 0) return stdout.trim();
  if (stderr) console.error(stderr.trim().slice(-1000));
  return undefined;
}

/** Provides Presidio to Jest: PRESIDIO_PYTHON names it, or a line says that the tests are skipped. */
export default () => {
  const found = find();
  if ("python" in found) process.env.PRESIDIO_PYTHON = found.python;
  else if (process.env.CI) throw new Error(`The tests of Presidio cannot run: ${found.missing}`);
  else console.error(`Tests of Presidio are skipped: ${found.missing}`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = find();
  console.log("python" in found ? found.python : `There is no Presidio: ${found.missing}`);
}
