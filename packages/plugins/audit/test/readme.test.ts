import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { temporaryDirectory } from "./support.js";

const root = join(import.meta.dirname, "..");

it("the README's first example runs as printed, and prints the output below it", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [, code = "", printed = ""] = /```js\n([\s\S]*?)```\n\n {4}(.*)\n/.exec(readme) ?? [];
  const dir = await temporaryDirectory();
  await mkdir(join(dir, "node_modules", "@suite"), { recursive: true });
  await symlink(root, join(dir, "node_modules", "@suite", "audit"));
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], { cwd: dir });
  expect(stdout.trim()).toBe(printed);
});
