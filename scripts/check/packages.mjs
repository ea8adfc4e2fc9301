// Packs every publishable package and asks publint and attw about the tarball; both see what a user would get.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "../pack.mjs";

const expected = ["LICENSE", "README.md", "CHANGELOG.md", "package.json", "dist/index.js", "dist/index.d.ts"];
const folder = mkdtempSync(join(tmpdir(), "packed-"));

/** @param {string} tool @param {string[]} args */
function accepts(tool, args) {
  const { status, stdout, stderr } = spawnSync(join(import.meta.dirname, "node_modules/.bin", tool), args, {
    encoding: "utf8",
  });
  if (status !== 0) console.error(stdout + stderr);
  return status === 0;
}

try {
  for (const { name, tarball, files } of pack(folder)) {
    const missing = expected.filter((file) => !files.includes(file));
    const surplus = files.filter((file) => /tsbuildinfo|(^|\/)test\//.test(file));
    const checks = {
      files: missing.length + surplus.length === 0,
      publint: accepts("publint", ["run", tarball, "--strict"]),
      attw: accepts("attw", [tarball, "--profile", "esm-only"]),
    };
    const failed = Object.entries(checks).flatMap(([check, passed]) => (passed ? [] : [check]));
    const details = [...missing.map((file) => `missing ${file}`), ...surplus.map((file) => `surplus ${file}`)];
    console.log(`${name}: ${failed.length === 0 ? "ok" : `failed ${failed.join(", ")} ${details.join(", ")}`}`);
    if (failed.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
