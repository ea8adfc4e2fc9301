// The pictures of the viewer: `npm run pictures` takes them of a run of the support desk, in Chromium.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./workspaces.mjs";

const require = createRequire(join(root, "packages/viewer/package.json"));
const { chromium } = require("playwright-core");
const { startViewer } = await import("../packages/viewer/dist/index.js");

const executablePath = spawnSync("sh", ["-c", "command -v chromium || command -v google-chrome"])
  .stdout.toString()
  .trim();
if (executablePath === "") {
  console.error("skipped: the pictures of the viewer need Chromium");
  process.exit(0);
}
const viewer = await startViewer({ port: 0, otlpPort: 0 });
const folder = mkdtempSync(join(tmpdir(), "viewer-"));
const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: viewer.endpoint, OTEL_BSP_SCHEDULE_DELAY: "200" };
const desk = spawn(process.execPath, [join(root, "examples/dist/support-desk/main.js")], {
  cwd: folder,
  stdio: "ignore",
  env,
});
await once(desk, "exit");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 640 }, colorScheme });
  await page.goto(viewer.url);
  await page.locator(".runs li a").last().click();
  await page.locator(".row", { hasText: "chat" }).first().click();
  await page.locator(".panel").waitFor();
  await page.screenshot({ path: join(root, `docs/pictures/viewer-${colorScheme}.png`) });
}
await browser.close();
await viewer.close();
rmSync(folder, { recursive: true });
