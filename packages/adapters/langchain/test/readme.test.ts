import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "@jest/globals";
import { useServer } from "./support.js";

const root = join(import.meta.dirname, "..");
const world = useServer();
afterAll(() => rm(join(root, ".suite"), { recursive: true, force: true }));

it("the examples of the README run as they stand: the first leaks, the second prints what is shown", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [plain = "", guarded = ""] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const answer = {
    text: "It has shipped. I will write to jane@x.com.",
    chunks: 4,
    usage: { inputTokens: 12, outputTokens: 9 },
  };
  world.server.script(answer, answer);
  expect((await run(plain)).out).toBe(answer.text);
  const { out, tree } = await run(guarded);
  const shown = /```text\n([\s\S]*?)\n```/.exec(readme)?.[1]?.split("\n") ?? [];
  expect(out).toBe(shown[0]);
  expect(world.prompts[1]).not.toContain("jane@x.com");
  expect(timeless(tree)).toContain(timeless(shown.slice(1).join("\n")));
});

async function run(code: string): Promise<{ readonly out: string; readonly tree: string }> {
  const env = { ...process.env, OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${world.server.url}/v1` };
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env });
  const [out, tree] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, tree };
}

const timeless = (tree: string): string => tree.replaceAll(/[\d.]+m?s\b/g, "…");
