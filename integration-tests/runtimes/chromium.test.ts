import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { entriesOf, root } from "../../scripts/workspaces.mjs";
import { expected } from "./probe.mjs";

const names = ["chromium", "chromium-browser", "google-chrome"];
const chromium = names.find((name) => spawnSync(name, ["--version"]).status === 0);
if (chromium === undefined) {
  if (process.env.CI) throw new Error(`CI has none of ${names.join(", ")}: the browser tests cannot run`);
  console.warn("No Chromium on this machine: the browser tests are skipped");
}

const page = `<!doctype html><body><script type="module">
  import { probe } from "/integration-tests/runtimes/probe.mjs";
  ${entriesOf("packages/core")
    .map((entry) => `import "/${entry}";`)
    .join("\n  ")}
  import * as contract from "/packages/core/dist/index.js";
  import * as engine from "/packages/core/dist/adapter.js";
  document.body.textContent = JSON.stringify(await probe({ ...contract, ...engine }));
</script>`;

/** The page, and the repository's built modules. */
async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(request.url ?? "/");
    if (path === "/") return response.setHeader("content-type", "text/html").end(page);
    if (!/\.m?js$/.test(path)) return response.writeHead(404).end();
    return response.setHeader("content-type", "text/javascript").end(readFileSync(join(root, path)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** The page as it stands when its modules have run. */
async function domOf(browser: string, url: string): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const headless = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", `--user-data-dir=${profile}`];
  const args = [...headless, ...quiet, "--virtual-time-budget=5000", "--dump-dom", url];
  try {
    return (await promisify(execFile)(browser, args, { timeout: 60_000 })).stdout;
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

(chromium ? describe : describe.skip)("@suite/core in Chromium", () => {
  it("loads with all its subpaths, and streams a call through its layers", async () => {
    const server = await serve();
    try {
      const dom = await domOf(chromium ?? "", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(JSON.parse(/<body>(.*?)<\/body>/s.exec(dom)?.[1] ?? "null")).toEqual(expected);
    } finally {
      server.close();
    }
  }, 90_000);
});
