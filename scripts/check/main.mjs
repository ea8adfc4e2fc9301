/**
 * Runs all checks, two at a time, and prints one line per check at the end. The exit code is 1 if a check failed.
 * Formatting comes first: it takes seconds and fails most often. A check prints its output only if it failed.
 */
import { spawn } from "node:child_process";
import { root } from "../workspaces.mjs";

/** The checks in the order in which they start. Those with `built` wait for the build. */
const checks = [
  { name: "lint" },
  { name: "build" },
  { name: "arrows" },
  { name: "unused" },
  { name: "packages", built: true },
  { name: "types", built: true },
  { name: "sizes", built: true },
];
const concurrency = 2;

/** @type {Map<string, Promise<boolean>>} */
const results = new Map();
/** @type {string[]} */
const summary = [];

/** @param {string} name @returns {Promise<boolean>} whether the check passed */
function run(name) {
  const start = Date.now();
  const command = name === "build" ? ["run", "build"] : ["run", "--silent", `check:${name}`];
  return new Promise((resolve) => {
    let output = "";
    const child = spawn("npm", command, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => (output += error.message));
    child.on("close", (status) => {
      const passed = status === 0;
      const seconds = Math.round((Date.now() - start) / 1000);
      summary.push(`${passed ? "ok    " : "FAILED"} ${String(seconds).padStart(4)} s  ${name}`);
      if (!passed) console.error(`\n== ${name}\n${output}`);
      resolve(passed);
    });
  });
}

const waiting = [...checks];

/** Starts the next check until none is left. */
async function work() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (check.built && !(await results.get("build"))) {
      summary.push(`skipped       ${check.name} (the build failed)`);
      continue;
    }
    const result = run(check.name);
    results.set(check.name, result);
    await result;
  }
}

await Promise.all(Array.from({ length: concurrency }, work));
console.log(summary.join("\n"));
if (summary.some((line) => !line.startsWith("ok"))) process.exitCode = 1;
