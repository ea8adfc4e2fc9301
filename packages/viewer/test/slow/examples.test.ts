import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect } from "@jest/globals";
import type { Viewer } from "@suite/viewer";
import type { Run } from "../../src/run/run.js";
import type { Span } from "../../src/run/span.js";
import { ask } from "../support.js";
import { inBrowser, open, viewerCommand } from "./browser.js";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const SOON = 1000;

/** The example of each adapter, with the name of its first run and the kinds of span that it has. */
const examples = [
  ["ai-sdk/main.js", "invoke_agent support", ["chat", "execute_tool"]],
  ["langchain/main.js", "invoke_agent support", ["chat", "execute_tool"]],
  ["openai-agents/main.js", "invoke_agent support", ["chat", "execute_tool"]],
  ["mcp/client.js", "execute_tool find_order", ["execute_tool"]],
  ["fetch/main.js", "chat fake-model", ["chat"]],
] as const;

/** Starts an example as `suite-viewer -- node EXAMPLE` does, and gives whether it has ended. */
async function start(program: string, { endpoint }: Viewer): Promise<() => number | null> {
  const cwd = await mkdtemp(join(tmpdir(), "viewer-example-"));
  folders.push(cwd);
  const file = fileURLToPath(new URL(`../../../../examples/dist/${program}`, import.meta.url));
  const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: "200" };
  const child = spawn(process.execPath, [file], { cwd, stdio: "ignore", env });
  return () => child.exitCode;
}

/** The spans that the viewer has while a program runs, each with the time at which it was first there. */
async function watched(viewer: Viewer, exitCode: () => number | null) {
  const seen = new Map<string, { readonly span: Span; readonly at: number }>();
  for (let isLast = false; ; isLast = exitCode() !== null) {
    const { runs } = (await (await ask(viewer, "/api/runs")).json()) as { readonly runs: readonly Run[] };
    for (const { traceId } of runs) {
      const { spans } = (await (await ask(viewer, `/api/runs/${traceId}`)).json()) as {
        readonly spans: readonly Span[];
      };
      for (const span of spans) if (!seen.has(span.spanId)) seen.set(span.spanId, { span, at: Date.now() });
    }
    if (isLast) return [...seen.values()];
    await wait(20);
  }
}

describe("the example of each adapter", () => {
  for (const [program, name, kinds] of examples) {
    inBrowser(`${program}: its run is on the page, each span within a second of its end`, async () => {
      const viewer = await viewerCommand();
      const { page, wrong } = await open(viewer.url);
      const exitCode = await start(program, viewer);
      const shown = page
        .locator(".runs li")
        .first()
        .waitFor()
        .then(() => Date.now());
      const spans = await watched(viewer, exitCode);
      expect(exitCode()).toBe(0);
      expect(spans.map(({ span }) => span.name)).toContain(name);
      for (const kind of kinds) expect(spans.some(({ span }) => span.name.startsWith(`${kind} `))).toBe(true);
      const late = spans.map(({ span, at }) => [span.name, at - span.end] as const).filter(([, after]) => after > SOON);
      expect(late).toEqual([]);
      const first = Math.min(...spans.map(({ span }) => span.end));
      expect((await shown) - first).toBeLessThan(SOON);
      expect(wrong).toEqual([]);
    });
  }
});
