import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";

const root = join(import.meta.dirname, "..");
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(async () => {
  await server.close();
  await rm(join(root, ".suite"), { recursive: true, force: true });
});

it("the examples of the README run as they stand: the first leaks, the second prints what is shown", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [plain = "", guarded = ""] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const answer = { text: "On its way to jane@x.com.", chunks: 4, usage: { inputTokens: 12, outputTokens: 9 } };
  server.script(answer, answer);
  expect((await run(plain)).out).toBe("On its way to jane@x.com.\n");
  const { out, tree } = await run(guarded);
  expect(out).toBe("On its way to [REDACTED_EMAIL].\n");
  expect(JSON.stringify(server.requests[1]?.body)).not.toContain("jane@x.com");
  const shown = /\n {4}(invoke_agent[\s\S]*?)\n\n/.exec(readme)?.[1]?.replaceAll("\n    ", "\n") ?? "";
  expect(timeless(tree)).toContain(timeless(shown));
});

async function run(code: string): Promise<{ readonly out: string; readonly tree: string }> {
  const env = { ...process.env, OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${server.url}/v1` };
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env });
  const [out, tree] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, tree };
}

const timeless = (tree: string): string => tree.replaceAll(/[\d.]+m?s\b/g, "…");
