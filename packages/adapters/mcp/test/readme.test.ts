import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";

const root = join(import.meta.dirname, "..");
const run = (code: string) =>
  promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
  });
const timeless = (tree: string) => tree.replaceAll(/[\d.]+m?s\b/g, "…");

it("the examples of the README run as they stand: the first leaks, the second prints what is shown", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [plain = "", guarded = ""] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  expect((await run(plain)).stdout).toBe("Shipped to jane@example.com.\n");
  const { stdout, stderr } = await run(guarded);
  const shown = /```text\n(Shipped[\s\S]*?)\n```/.exec(readme)?.[1]?.split("\n") ?? [];
  expect(shown).toHaveLength(3);
  expect(stdout.trim()).toBe(shown[0]);
  expect(timeless(stderr)).toContain(timeless(shown.slice(1).join("\n")));
});
