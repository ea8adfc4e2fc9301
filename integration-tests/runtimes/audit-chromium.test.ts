import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "@jest/globals";
import { chromiumPath, skip } from "../../scripts/needs.mjs";
import { expectedVerdicts } from "./audit-verdicts.mjs";
import { bundled } from "./programs.js";

// Beside chromium.test.ts, since under a virtual clock blobs and WebCrypto never answer: this page sends what it found.
const browser = chromiumPath();
if (browser === undefined) skip("Chromium", "the test of audit in a browser");

/** The answer that a page with this script posts to `/told`. */
async function told(script: string): Promise<unknown> {
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  let tell: (answer: string) => void = () => {};
  const answered = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.method === "POST") tell(await text(request));
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><body><script type="module">${script}</script>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  // Its own group: what is called Chromium may be a script that starts it.
  const child = spawn(
    browser ?? "",
    [...args, ...quiet, `--user-data-dir=${profile}`, "--remote-debugging-port=0", url],
    {
      detached: true,
      stdio: "ignore",
    },
  );
  try {
    const ended = once(child, "exit").then(() => "null");
    return JSON.parse(await Promise.race([answered, ended]));
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

(browser ? it : it.skip)(
  "@suite/audit/verify gives the verdicts of a log in Chromium",
  async () => {
    const post = `await fetch("/told", { method: "POST", body: JSON.stringify(await auditVerdicts(suite.audit)) });`;
    const script = await bundled(post);
    expect(await told(script.replaceAll("</script", "<\\/script"))).toEqual(expectedVerdicts);
  },
  60_000,
);
