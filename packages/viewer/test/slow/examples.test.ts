import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect } from "@jest/globals";
import type { Viewer } from "@suite/viewer";
import type { Run } from "../../src/run/run.js";
import type { Span } from "../../src/run/span.js";
import { ask, folder } from "../support.js";
import { inBrowser, open, viewerCommand } from "./browser.js";

const SOON = 1000;
const TRIES = 3;

/** The example of each adapter, with the name of its first run and the kinds of span that it has. */
const examples = [
  ["ai-sdk/main.js", "invoke_agent support", ["chat", "execute_tool"]],
  ["langchain/main.js", "invoke_agent support", ["chat", "execute_tool"]],
  ["openai-agents/main.js", "invoke_agent support", ["chat", "execute_tool"]],
  ["mcp/client.js", "tools/call find_order", ["tools/call"]],
  ["fetch/main.js", "chat fake-model", ["chat"]],
] as const;

/** Starts an example as `suite-viewer -- node EXAMPLE` does, and gives whether it has ended. */
async function start(program: string, { endpoint }: Viewer): Promise<() => number | null> {
  const cwd = await folder();
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

/** Runs an example, checks what is shown of it, and gives what was shown later than a second after its span's end. */
async function lateIn([program, name, kinds]: (typeof examples)[number]) {
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
  const first = Math.min(...spans.map(({ span }) => span.end));
  const after = [
    ["the list", (await shown) - first],
    ...spans.map(({ span, at }) => [span.name, at - span.end]),
  ] as const;
  expect(wrong).toEqual([]);
  await page.close();
  return after.filter(([, milliseconds]) => Number(milliseconds) > SOON);
}

describe("the example of each adapter", () => {
  for (const example of examples) {
    inBrowser(`${example[0]}: its run is on the page, each span within a second of its end`, async () => {
      let late = await lateIn(example);
      // Others use the machine as well: whoever gets no turn for a second is late without any fault.
      for (let again = 1; again < TRIES && late.length > 0; again++) late = await lateIn(example);
      expect(late).toEqual([]);
    });
  }
});
