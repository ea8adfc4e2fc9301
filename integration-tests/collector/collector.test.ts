import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, jest } from "@jest/globals";
import type { PendingState } from "@suite/agent";
import { verify } from "@suite/audit";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { setupTracing } from "@suite/tracing/node";
import { root } from "../../scripts/workspaces.mjs";
import { everything, forms, planted } from "../planted.mjs";
import { killAll, startCollector, withCollector } from "./collector.js";
import { agents, orders } from "./desk.mjs";
import { type Front, startFront } from "./front.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { scenarios } from "./scenarios.js";
import { attribute, conversations, spansOf } from "./spans.js";
import { itValidates, validate } from "./validator.js";

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), "collector-"));
const auditDir = join(folder, "log");
let model: ModelServer;
let receiver: Receiver;
/** The server before the collector, which keeps what it was sent. */
let front: Front;

beforeAll(async () => {
  model = await startModelServer();
});
afterAll(async () => {
  await killAll();
  await model.close();
  rmSync(folder, { recursive: true });
});

interface Waiting {
  readonly where: Parameters<typeof agents>[0];
  readonly pending: PendingState;
}

/** Each kind of run, with the plugins in each order, streamed and not, with either client. */
async function runAll(): Promise<{ readonly names: readonly string[]; readonly waiting: readonly Waiting[] }> {
  const names: string[] = [];
  const waiting: Waiting[] = [];
  for (const [index, order] of orders.entries()) {
    const provider = index % 2 === 0 ? "openai" : "anthropic";
    for (const stream of [true, false]) {
      const where = { modelUrl: model.url, provider, order, auditDir };
      const team = agents(where);
      for (const [name, { answers, run }] of Object.entries(scenarios)) {
        const sessionId = `${name}; ${order.join(", ")}; ${stream ? "streamed" : "whole"}`;
        names.push(sessionId);
        model.reset();
        model.script(...answers(stream));
        const pending = await run({ agents: team, stream, sessionId, modelIsAsked: () => model.requests.length > 0 });
        if (pending !== undefined) waiting.push({ where, pending });
      }
      for (const agent of Object.values(team)) await agent.close();
    }
  }
  return { names, waiting };
}

/** Resumes suspended runs in another process. */
async function resumeAll(endpoint: string, waiting: readonly Waiting[]): Promise<void> {
  model.reset();
  model.script(() => ({ text: `Done: ${everything}.` }));
  const script = join(root, "integration-tests/collector/resume.mjs");
  await new Promise<void>((resolve, reject) => {
    const child = execFile(process.execPath, [script], (error, _, errors) => (error ? reject(errors) : resolve()));
    child.stdin?.end(JSON.stringify({ endpoint, waiting }));
  });
}

/** The kinds of planted values that these bytes hold, as they are or as addresses spell them. */
function found(bytes: string): readonly string[] {
  const lower = bytes.toLowerCase();
  const kinds = Object.entries(planted).filter(([, value]) => forms(value).some((form) => lower.includes(form)));
  return kinds.map(([kind]) => kind);
}

withCollector("what comes out of a collector", () => {
  let names: readonly string[];

  beforeAll(async () => {
    receiver = await startReceiver();
    const real = await startCollector(receiver.url);
    front = await startFront(real.url);
    const telemetry = setupTracing({ serviceName: "collector-test", endpoint: front.url });
    const all = await runAll();
    names = all.names;
    await telemetry.shutdown();
    await resumeAll(front.url, all.waiting);
    await real.stop();
    await Promise.all([front.close(), receiver.close()]);
  });

  it.each(Object.keys(scenarios))("has the whole tree of each run: %s", (scenario) => {
    const traces = conversations(spansOf(receiver.bodies));
    const runs = names.filter((name) => name.startsWith(`${scenario}; `));
    expect(runs).toHaveLength(12);
    const got = Object.fromEntries(runs.map((name) => [name, traces.get(name)]));
    expect(got).toEqual(Object.fromEntries(runs.map((name) => [name, scenarios[scenario]?.traces])));
  });

  it("is at least 300 spans, each once", () => {
    const ids = spansOf(receiver.bodies).map(({ traceId, spanId }) => `${traceId}/${spanId}`);
    expect(ids.length).toBeGreaterThanOrEqual(300);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("holds none of ten kinds of planted personal data, nor does what the collector was sent", () => {
    const [sent, came] = [front.passed.join("\n"), receiver.bodies.join("\n")];
    expect([sent, came].map((bytes) => bytes.includes("[REDACTED_EMAIL]"))).toEqual([true, true]);
    expect([...found(sent), ...found(came)]).toEqual([]);
    expect(came.includes("redaction.masked")).toBe(false);
  });

  it("would be found to hold it", () => {
    expect(found(encodeURIComponent(everything))).toEqual(Object.keys(planted));
  });

  itValidates("keeps to the GenAI conventions", () => {
    expect(validate(receiver.bodies, ["error.type=ERR_AGENT_OUTPUT_INVALID"])).toBeGreaterThanOrEqual(300);
  });

  it("left a log that verifies", async () => {
    expect(await verify(auditDir)).toMatchObject({ ok: true });
  });
});

withCollector("the second line of redaction", () => {
  it("masks what a program without redaction sent, and says so", async () => {
    receiver = await startReceiver();
    const real = await startCollector(receiver.url);
    const telemetry = setupTracing({ endpoint: real.url });
    telemetry.provider
      .getTracer("bare")
      .startSpan("leak", { attributes: { note: everything } })
      .end();
    await telemetry.shutdown();
    await real.stop();
    await receiver.close();
    const [span] = spansOf(receiver.bodies);
    expect(span && attribute(span, "note")).not.toMatch(/canary\.jane|4111 1111/);
    expect(receiver.bodies.join()).toContain("redaction.masked.count");
  });
});
