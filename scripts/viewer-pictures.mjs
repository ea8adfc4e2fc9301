// The pictures of the viewer: `npm run pictures` takes them of runs of the support desk and of refunds that wait, in Chromium.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumPath } from "./needs.mjs";
import { root } from "./workspaces.mjs";

const require = createRequire(join(root, "packages/viewer/package.json"));
const { chromium } = require("playwright-core");
const { createAgent, defineTool } = await import("../packages/agent/dist/index.js");
const { memoryStateStore } = await import("../packages/kit/dist/store.js");
const { approvals, humanInTheLoop } = await import("../packages/plugins/approval/dist/index.js");
const { tracing } = await import("../packages/plugins/tracing/dist/index.js");
const { setupTracing } = await import("../packages/plugins/tracing/dist/node.js");
const { startViewer } = await import("../packages/viewer/dist/index.js");

const executablePath = chromiumPath();
if (executablePath === undefined) {
  console.error("skipped: the pictures of the viewer need Chromium");
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), "viewer-"));
const store = memoryStateStore();
const viewer = await startViewer({
  port: 0,
  otlpPort: 0,
  audit: join(folder, "support-desk-output/audit"),
  approve: approvals({ store }),
  approveAs: "ann",
});

// Runs of the desk: the second ticket of each waits, and goes on in a trace of its own.
const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: viewer.endpoint, OTEL_BSP_SCHEDULE_DELAY: "200" };
for (let run = 0; run < 4; run++) {
  const desk = [join(root, "examples/dist/support-desk/main.js")];
  await once(spawn(process.execPath, desk, { cwd: folder, stdio: "ignore", env }), "exit");
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
/**
 * @param {string} name
 * @param {(page: import("playwright-core").Page) => Promise<unknown>} show
 * @param {readonly ("light" | "dark")[]} schemes
 */
async function picture(name, show, schemes = ["light"]) {
  for (const colorScheme of schemes) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 640 }, colorScheme });
    await page.goto(viewer.url);
    await page.locator(".runs li").first().waitFor();
    await show(page);
    await page.screenshot({ path: join(root, `docs/pictures/${name}-${colorScheme}.png`) });
    await page.close();
  }
}

await picture(
  "viewer",
  async (page) => {
    await page.locator(".runs li a").last().click();
    await page.locator(".row", { hasText: "chat" }).first().click();
    await page.locator(".panel").waitFor();
  },
  ["light", "dark"],
);
await picture("viewer-traces", async (page) => {
  await page.locator(".runs li a", { hasText: "8 spans" }).first().click();
  await page.getByText("Trace 2 of 2").waitFor();
});
await picture("viewer-audit", async (page) => {
  await page.locator(".runs li a", { hasText: "8 spans" }).first().click();
  await page.getByRole("link", { name: "Audit" }).click();
  await page.locator(".record summary").nth(4).click();
  await page.getByRole("button", { name: "Check the proof in this browser" }).click();
  await page.getByText("Proven:").waitFor();
});
await picture("viewer-plots", async (page) => {
  await page.getByRole("link", { name: "Plots" }).click();
  await page.getByRole("img", { name: "Tokens" }).waitFor();
});
await picture("viewer-compare", async (page) => {
  await page.locator(".runs li a").first().click();
  await page.getByRole("link", { name: "Compare" }).click();
  await page.locator(".runs li a").nth(1).click();
  await page.getByRole("heading", { name: "Two runs" }).waitFor();
});

const telemetry = setupTracing({ serviceName: "refunds", endpoint: viewer.endpoint, metrics: false });
const args = { order: "A-17", eur: 40, reason: "It arrived broken." };
/** @type {import("../packages/agent/dist/index.js").Model} */
const model = {
  name: "fake-model",
  provider: "none",
  async generate() {
    const part = { type: /** @type {const} */ ("tool_call"), id: "c1", name: "refund", arguments: args };
    return {
      message: { role: "assistant", parts: [part] },
      usage: { inputTokens: 40, outputTokens: 12 },
      finishReason: "tool_call",
    };
  },
  stream() {
    throw new Error("Nothing is streamed here.");
  },
};
const rule = { description: "May 40 EUR be paid back for order A-17?", always: true };
const guard = humanInTheLoop({ refund: rule }, { store, show: "full" });
const refund = defineTool({ name: "refund", execute: () => "refunded" });
const agent = createAgent({ name: "refunds", model, tools: [refund], plugins: [tracing(), guard] });
await agent.run("Please refund order A-17.", { sessionId: "T-7" });
await telemetry.flush();
await picture("viewer-approvals", async (page) => {
  await page.getByRole("link", { name: /Approvals/ }).click();
  await page.getByRole("heading", { name: "refund" }).waitFor();
});

await agent.close();
await telemetry.shutdown();
await browser.close();
await viewer.close();
rmSync(folder, { recursive: true });
