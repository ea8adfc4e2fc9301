import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import * as pii from "@suite/pii";
import { engineChecks, outputs } from "../../packages/plugins/pii/test/engine-checks/index.mjs";
import { chromiumPath, skip } from "../../scripts/needs.mjs";
import { entriesOf, root } from "../../scripts/workspaces.mjs";
import { expected } from "./probe.mjs";
import { bundled } from "./programs.js";

const chromium = chromiumPath();
if (chromium === undefined) skip("Chromium", "the tests in a browser");

const page = (script: string) => `<!doctype html><body><script type="module">${script}</script>`;

/** Core as it is, without a bundler. */
const modules = page(`
  import { probe } from "/integration-tests/runtimes/probe.mjs";
  ${entriesOf("packages/core")
    .map((entry) => `import "/${entry}";`)
    .join("\n  ")}
  import * as contract from "/packages/core/dist/index.js";
  import * as engine from "/packages/core/dist/adapter.js";
  document.body.textContent = JSON.stringify(await probe({ ...contract, ...engine }));
`);

/** A page, and the repository's built modules. */
async function serve(html: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(request.url ?? "/");
    if (path === "/") return response.setHeader("content-type", "text/html; charset=utf-8").end(html);
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

/** The value that a page writes into its body, as JSON. */
async function told(html: string): Promise<unknown> {
  const server = await serve(html);
  try {
    const dom = await domOf(chromium ?? "", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return JSON.parse(/<body>(.*?)<\/body>/s.exec(dom)?.[1] ?? "null");
  } finally {
    server.close();
  }
}

(chromium ? describe : describe.skip)("in Chromium", () => {
  it("@suite/core loads with all its subpaths, and streams a call through its layers", async () => {
    expect(await told(modules)).toEqual(expected);
  }, 90_000);

  it("the engine of @suite/pii, bundled, passes all checks", async () => {
    const script = await bundled("document.body.textContent = JSON.stringify(await report(suite));");
    const checks = { failed: {}, passed: engineChecks.map(({ name }) => name), outputs: outputs({ pii }) };
    expect(await told(page(script.replaceAll("</script", "<\\/script")))).toEqual({
      probe: expected,
      engine: "re2js",
      checks,
    });
  }, 90_000);
});
