// A real OpenTelemetry Collector: `node scripts/collector.mjs` prints where it is. The one named by OTELCOL, or one on the
// PATH; else out of its Docker image; else built from Go modules, once, into a cache outside the repository.
// `--update` resolves the modules of collector/builder.yaml anew, and writes collector/go.mod and go.sum.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./workspaces.mjs";

const folder = join(root, "collector");
const config = join(folder, "config.yaml");
const pinned = ["builder.yaml", "go.mod", "go.sum"].map((name) => join(folder, name));
const builder = "go.opentelemetry.io/collector/cmd/builder";
const caches = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "suite");

/** The collector's program; undefined where there is neither one, nor Docker, nor Go. @returns {string | undefined} */
export function collector() {
  const { OTELCOL } = process.env;
  if (OTELCOL) return OTELCOL;
  return onPath(["otelcol-contrib", "otelcol"]).find(takesConfig) ?? fromDocker() ?? fromGo();
}

/** Whether it has the components that the configuration names. @param {string} program */
function takesConfig(program) {
  const env = { ...process.env, EXPORT_ENDPOINT: "http://localhost:1" };
  return spawnSync(program, ["validate", `--config=${config}`], { env }).status === 0;
}

/** @param {string[]} names @param {string[]} further folders */
function onPath(names, further = []) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...further];
  return names.flatMap((name) => folders.map((dir) => join(dir, name))).filter((path) => existsSync(path));
}

/** The program in the image of docker-compose.yml, where an engine answers and its programs run here as they are. */
function fromDocker() {
  if (process.platform !== "linux" || spawnSync("docker", ["info"], { timeout: 10_000 }).status !== 0) return undefined;
  const image = /image: (otel\/\S+)/.exec(readFileSync(join(root, "docker-compose.yml"), "utf8"))?.[1] ?? "";
  return cached(`collector-${image.replaceAll(/[/:]/g, "-")}`, (program) => {
    const container = execFileSync("docker", ["create", image], { encoding: "utf8" }).trim();
    execFileSync("docker", ["cp", `${container}:/otelcol-contrib`, program]);
    execFileSync("docker", ["rm", container]);
  });
}

function fromGo() {
  const go = findGo();
  if (go === undefined) return undefined;
  const hash = createHash("sha256");
  for (const file of pinned) hash.update(readFileSync(file));
  return cached(`collector-${hash.digest("hex").slice(0, 16)}`, (program, scratch) => {
    console.error("Building the OpenTelemetry Collector from Go modules: some minutes, once");
    generate(go, scratch);
    for (const name of ["go.mod", "go.sum"]) copyFileSync(join(folder, name), join(scratch, name));
    run(go, ["build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", "-o", program, "."], scratch);
  });
}

/** @returns {string | undefined} */
const findGo = () => onPath(["go"], ["/usr/local/go/bin"])[0];

/** The collector's source text. The builder is run as go.mod and go.sum pin it. @param {string} go @param {string} into */
function generate(go, into) {
  const manifest = join(into, "builder.yaml");
  copyFileSync(join(folder, "builder.yaml"), manifest);
  run(go, ["build", "-mod=readonly", "-o", join(into, "builder"), builder], folder);
  run(join(into, "builder"), [`--config=${manifest}`, "--skip-compilation"], into);
}

/** @param {string} go */
function update(go) {
  const version = /^ {2}version: (\S+)$/m.exec(readFileSync(join(folder, "builder.yaml"), "utf8"))?.[1];
  const takeBuilder = ["get", "-tool", `${builder}@v${version}`];
  const scratch = scratchFolder();
  try {
    run(go, takeBuilder, folder);
    generate(go, scratch);
    run(go, takeBuilder, scratch);
    run(go, ["mod", "tidy"], scratch);
    for (const name of ["go.mod", "go.sum"]) copyFileSync(join(scratch, name), join(folder, name));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** @param {string} program @param {string[]} args @param {string} cwd */
function run(program, args, cwd) {
  const env = { ...process.env, GOFLAGS: `${process.env.GOFLAGS ?? ""} -buildvcs=false` };
  execFileSync(program, args, { cwd, env, stdio: "pipe" });
}

function scratchFolder() {
  mkdirSync(caches, { recursive: true });
  return mkdtempSync(join(caches, "scratch-"));
}

/** Makes it where it is not there yet; whoever looks meanwhile sees nothing half made. @param {string} name @param {(program: string, scratch: string) => void} make */
function cached(name, make) {
  const program = join(caches, name);
  if (existsSync(program)) return program;
  const scratch = scratchFolder();
  try {
    make(join(scratch, "program"), scratch);
    renameSync(join(scratch, "program"), program);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return program;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const go = findGo();
  if (process.argv.includes("--update") && go !== undefined) update(go);
  console.log(collector() ?? "no collector: neither one on the PATH, nor Docker, nor Go");
}
