import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, jest } from "@jest/globals";
import { useServer } from "./support.js";

const on = useServer();

it("the README's whole example runs as it stands, and prints what is printed below it", async () => {
  const readme = await readFile(join(import.meta.dirname, "..", "README.md"), "utf8");
  const [, example = "", said = "", span = ""] =
    /```ts\n([\s\S]*?)```\n\n```text\n(.*)\n(chat \S+) /.exec(readme) ?? [];
  on.server.script({ text: "You are jane@mail.example." });
  process.env.OPENAI_BASE_URL = `${on.server.url}/v1`;
  process.env.OPENAI_API_KEY = "none";
  const log = jest.spyOn(console, "log").mockImplementation(() => {});
  jest.spyOn(console, "warn").mockImplementation(() => {});
  const tree = jest.spyOn(process.stderr, "write").mockImplementation(() => true);
  const folder = await mkdtemp(join(import.meta.dirname, "readme-"));
  try {
    await writeFile(join(folder, "example.ts"), example);
    await import(join(folder, "example.ts"));
    expect(log.mock.calls).toEqual([[said]]);
    expect(tree.mock.calls.join("")).toContain(span);
    expect(JSON.stringify(on.server.requests[0]?.body)).toContain("I am [REDACTED_EMAIL]. Who are you?");
  } finally {
    await rm(folder, { recursive: true });
    for (const spy of [log, tree]) spy.mockRestore();
  }
});
