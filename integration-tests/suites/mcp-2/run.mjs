// Runs the tests of the MCP SDK 2, unchanged, with clients and servers that have plugins:
//   node integration-tests/suites/mcp-2/run.mjs CHECKOUT [MODE…]
// CHECKOUT is a git directory of github.com/modelcontextprotocol/typescript-sdk. Modes: base (without plugins), idle,
// observe, stage, three, output. Without MODE: idle three output. The tests run against the released packages, those of
// the lock file. Prints the tests that pass in `base` and not in the mode, and exits with 1 if one of them has no reason
// in ../mcp-2.json.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { root } from "../../../scripts/workspaces.mjs";

const here = import.meta.dirname;
const [checkout, ...given] = process.argv.slice(2);
if (checkout === undefined) throw new Error("usage: run.mjs CHECKOUT [MODE…]");
const modes = given.length > 0 ? given : ["idle", "three", "output"];
const work = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "framework-suites", "mcp-2");

/** The packages that the tests import. Client and server have the versions of the lock file. */
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const locked = ["client", "server", "core"].map((name) => {
  const full = `@modelcontextprotocol/${name}`;
  return `${full}@${packages[`node_modules/${full}`].version}`;
});
const others = ["server-legacy", "node", "express", "fastify", "hono"].map((name) => `@modelcontextprotocol/${name}@2`);
const tools = ["vitest@4", "typescript@5", "tsx@4", "supertest@7", "zod@4", "arktype@2", "valibot@1"];
const further = ["@valibot/to-json-schema@1", "express@5", "fastify@5", "hono@4", "@hono/node-server@1", "jose@6"];
const shared = ["cors@2", "ajv@8", "ajv-formats@3", "@cfworker/json-schema@4", "content-type@1", "pkce-challenge@5"];
const rest = ["json-schema-typed@8", "raw-body@3", "eventsource@3", "eventsource-parser@3", "cross-spawn@7"];

/** Paths of the repository that are not released, for child processes of the tests. */
const tsconfig = {
  compilerOptions: {
    target: "es2023",
    module: "esnext",
    moduleResolution: "bundler",
    paths: {
      "@modelcontextprotocol/core-internal": ["./packages/core-internal/src/index.ts"],
      "@modelcontextprotocol/test-helpers": ["./test/helpers/src/index.ts"],
    },
  },
};

function unpack() {
  if (existsSync(join(work, ".unpacked"))) return;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const archive = ["archive", "--output", join(work, "source.tar"), "HEAD", "packages", "test"];
  execFileSync("git", ["-C", checkout, ...archive]);
  execFileSync("tar", ["-xf", "source.tar"], { cwd: work });
  // Their configurations name packages of the workspace.
  for (const name of readdirSync(work, { recursive: true })) {
    if (String(name).endsWith("tsconfig.json")) rmSync(join(work, String(name)));
  }
  writeFileSync(join(work, "tsconfig.json"), JSON.stringify(tsconfig));
  writeFileSync(join(work, "package.json"), '{ "name": "mcp-2", "private": true, "type": "module" }');
  const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", [...flags, ...locked, ...others, ...tools, ...further, ...shared, ...rest], { cwd: work });
  writeFileSync(join(work, ".unpacked"), "");
}

/** Runs all tests in a mode. Returns their states by name. */
function once(mode) {
  const file = join(work, `${mode}.json`);
  rmSync(file, { force: true });
  const { SUITE: _, ...env } = process.env;
  const vitest = [join(work, "node_modules/vitest/vitest.mjs"), "run", "-c", "vitest.config.mjs"];
  spawnSync(process.execPath, [...vitest, `--outputFile=${file}`], {
    cwd: work,
    env: { ...env, SUITE_PROJECT: root, ...(mode !== "base" && { SUITE: mode }) },
    stdio: "ignore",
  });
  return statesIn(file);
}

function statesIn(file) {
  const { testResults } = JSON.parse(readFileSync(file, "utf8"));
  const states = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => [`${name.split("/").at(-1)} > ${fullName}`, status]),
  );
  return new Map(states);
}

unpack();
for (const name of readdirSync(here)) if (name !== "run.mjs") copyFileSync(join(here, name), join(work, name));
const reasons = JSON.parse(readFileSync(join(here, "../mcp-2.json"), "utf8"));
const base = existsSync(join(work, "base.json")) ? statesIn(join(work, "base.json")) : once("base");
for (const mode of modes.filter((name) => name !== "base")) {
  const states = once(mode);
  const passed = [...base].filter(([, status]) => status === "passed");
  const differ = passed.map(([name]) => name).filter((name) => states.get(name) !== "passed");
  const open = differ.filter((name) => !(name in reasons));
  for (const name of open) console.log(`  ${name}: ${states.get(name) ?? "it was not run"}`);
  console.log(
    `${mode}: ${base.size} tests, ${passed.length} pass without plugins, ${differ.length} differ, ${open.length} without a reason`,
  );
  if (open.length > 0 || states.size === 0) process.exitCode = 1;
}
