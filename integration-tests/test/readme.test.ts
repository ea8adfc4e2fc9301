import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { blocks, shape } from "../../scripts/readme.mjs";
import { root, workspaces } from "../../scripts/workspaces.mjs";

const readme = readFileSync(join(root, "README.md"), "utf8");

describe("the first screen of the README", () => {
  const folder = mkdtempSync(join(tmpdir(), "readme-"));
  let server: ModelServer;
  let printed: { readonly out: string; readonly err: string; readonly code: number | null };

  beforeAll(async () => {
    server = await startModelServer();
    server.script(
      { toolCalls: [{ name: "find_order", arguments: {} }] },
      { text: "It has shipped. We will write to jane@example.com.", chunks: 7 },
    );
    const env = { ...process.env, OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "none" };
    printed = await run(["examples/dist/quickstart/main.js"], folder, env);
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it("is the program of examples/quickstart", () => {
    expect(blocks(readme, "ts")[0]).toBe(readFileSync(join(root, "examples/quickstart/main.ts"), "utf8"));
  });

  it("prints what the README says", () => {
    const [shown = ""] = blocks(readme, "text");
    const tree = printed.err.slice(printed.err.indexOf("invoke_agent"));
    expect({ code: printed.code, printed: shape(printed.out + tree) }).toEqual({ code: 0, printed: shape(shown) });
  });

  it("gives the model, the user, the spans and the log no address", () => {
    const asked = JSON.stringify(server.requests.map(({ body }) => body));
    expect(asked).toContain("[REDACTED_EMAIL]");
    expect(asked + printed.out + printed.err).not.toContain("jane@example.com");
  });

  it("leaves a log that verifies, in the words of the README", async () => {
    const { out, code } = await run(["packages/plugins/audit/dist/cli.js", "verify", ".suite/audit"], folder);
    expect(code).toBe(0);
    expect(out).toContain(blocks(readme, "text")[1]?.trim());
  });
});

it("each agent that an example of the documentation makes has a name", () => {
  const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const readmes = workspaces().map(({ dir }) => join(dir, "README.md"));
  const files = ["README.md", ...docs.map((name) => join("docs", name)), ...readmes].filter((file) =>
    existsSync(join(root, file)),
  );
  const unnamed = files.flatMap((file) =>
    blocks(readFileSync(join(root, file), "utf8"), "js|ts").flatMap((block) =>
      [...block.replaceAll(/\/\/.*$/gm, "").matchAll(/createAgent\(\{\s*(?!name\b|…|\.\.\.)\w+.*/g)].map(
        ([call]) => `${file}: ${call}`,
      ),
    ),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(unnamed).toEqual([]);
});

/** A program of this repository, run elsewhere. */
async function run([program = "", ...args]: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { out, err, code };
}
