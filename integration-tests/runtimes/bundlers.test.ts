import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { engine } from "@suite/pii";
import { root } from "../../scripts/workspaces.mjs";

// In the repository, where the project finds Next.js and all that our packages need; gone afterwards.
const home = join(import.meta.dirname, ".suite");
mkdirSync(home, { recursive: true });
const project = mkdtempSync(join(home, "next-"));
const next = join(import.meta.dirname, "node_modules/next/dist/bin/next");
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NEXT_IGNORE_INCORRECT_LOCKFILE: "1", NODE_ENV: undefined };

const tell = `import { createRedactor, engine } from "@suite/pii";
  const redactor = createRedactor({ email: "redact", own: { recognizer: /TCK-\\d{6}/, strategy: "redact" } });
  const told = () => engine() + " " + redactor.redact("jane@x.com TCK-123456");`;
const files = {
  "layout.jsx": "export default function Layout({ children }) { return <html><body>{children}</body></html>; }",
  "page.jsx": `import Client from "./client"; export default function Page() { return <Client />; }`,
  "client.jsx": `"use client"; ${tell} export default function Client() { return <p onClick={() => alert(told())}>?</p>; }`,
  "route/route.js": `${tell} export const dynamic = "force-dynamic"; export const GET = () => new Response(told());`,
};

beforeAll(() => {
  mkdirSync(join(project, "app/route"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, "app", name), text);
  // As installed: what a link leads to would be built like the project's own code.
  for (const [name, path] of [
    ["core", "packages/core"],
    ["kit", "packages/kit"],
    ["pii", "packages/plugins/pii"],
  ] as const) {
    for (const part of ["dist", "package.json"]) {
      cpSync(join(root, path, part), join(project, "node_modules/@suite", name, part), { recursive: true });
    }
  }
});

afterAll(() => rmSync(project, { recursive: true }));

/** The code of all files of a folder. */
function code(folder: string): string {
  const names = readdirSync(join(project, ".next", folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => readFileSync(join(project, ".next", folder, name), "utf8"))
    .join("\n");
}

/** The answer of the built route. */
async function answer(): Promise<string> {
  const server = spawn(process.execPath, [next, "start", "-p", "0", "-H", "127.0.0.1"], { cwd: project, env });
  try {
    let output = "";
    for await (const chunk of server.stdout) {
      output += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (address) return await (await fetch(`${address}/route`)).text();
    }
    throw new Error(`The server ended: ${output}`);
  } finally {
    server.kill();
    await once(server, "close");
  }
}

describe("Next.js, without a configuration,", () => {
  it.each(["--turbopack", "--webpack"])(
    "built by %s: re2 is in no bundle, and the server runs the one that is there",
    async (bundler) => {
      execFileSync(process.execPath, [next, "build", bundler], { cwd: project, env, stdio: "pipe" });
      for (const folder of ["static", "server"]) {
        expect(code(folder)).toContain("RE2JS");
        expect(code(folder)).not.toMatch(/re2\.node|node_modules\/re2\//);
      }
      expect(await answer()).toBe(`${engine()} [REDACTED_EMAIL] [REDACTED_OWN]`);
    },
    180_000,
  );
});
