import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { audit, fileSink, verify } from "@suite/audit";
import type { Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";
import { forms, planted } from "../../planted.mjs";
import { killAll, startCollector, withCollector } from "../collector.js";
import { orders } from "../desk.mjs";
import { startFront } from "../front.js";
import { startReceiver } from "../receiver.js";
import { spansOf } from "../spans.js";
import { itValidates, validate } from "../validator.js";
import type { Programs } from "./programs.js";

/** The secrets to look for: all planted values, and two that the contract's scenarios use. */
const secrets = [...Object.values(planted), "ada@mail.example", "eve@mail.example"];
const rules = Object.fromEntries(Object.keys(planted).map((type) => [type, "redact" as const]));
const apply = {
  output: true,
  toolArguments: true,
  toolResults: true,
  systemPrompt: true,
  humanInput: true,
  retrieval: true,
  memory: true,
  errors: true,
};

/** The result of a run of all programs. */
interface Swept {
  readonly failures: readonly string[];
  /** Each body that the collector was sent, and that it sent on. */
  readonly sent: readonly string[];
  readonly came: readonly string[];
}

/** The spans and values that the sweep expects, beside conventions and personal data. */
interface Expected {
  /** At least as many spans, so that a framework that is not watched is not one that gives nothing away. */
  readonly spans: number;
  /** Values of attributes whose list is open: the names of the framework's own errors, say. */
  readonly values: readonly string[];
}

/** The names of errors as values of their attribute. */
export const errors = (...types: readonly string[]) => types.map((type) => `error.type=${type}`);

/**
 * Runs everything of a framework with tracing, pii and audit, in each of their orders in turn, and looks at every byte
 * that a real collector was sent and sent on.
 */
export function describeSwept(framework: string, programs: Programs, { spans, values }: Expected): void {
  withCollector(`what a collector is sent of ${framework}, and sends on`, () => {
    const folder = mkdtempSync(join(tmpdir(), "frameworks-"));
    const auditDir = join(folder, "log");
    let swept: Swept;

    beforeAll(async () => {
      swept = await sweep(framework, programs, auditDir);
    });
    afterAll(async () => {
      await killAll();
      rmSync(folder, { recursive: true });
    });

    it("comes of runs that went as meant", () => {
      expect(swept.failures).toEqual([]);
    });

    it("comes of at least 30 scenarios", () => {
      expect(Object.keys(programs).length).toBeGreaterThanOrEqual(30);
    });

    it(`is at least ${spans} spans, each once`, () => {
      const ids = spansOf(swept.came).map(({ traceId, spanId }) => `${traceId}/${spanId}`);
      expect(ids.length).toBeGreaterThanOrEqual(spans);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it("holds none of ten kinds of planted personal data, nor needed the collector for that", () => {
      const [sent, came] = [swept.sent.join("\n"), swept.came.join("\n")];
      expect([sent, came].map((bytes) => bytes.includes("[REDACTED_EMAIL]"))).toEqual([true, true]);
      expect([...found(sent), ...found(came)]).toEqual([]);
      expect(came.includes("redaction.masked")).toBe(false);
    });

    itValidates("keeps to the GenAI conventions", () => {
      expect(validate(swept.came, values)).toBeGreaterThanOrEqual(spans);
    });

    it("is beside a log that verifies", async () => {
      expect(await verify(auditDir)).toMatchObject({ ok: true });
    });
  });
}

async function sweep(framework: string, programs: Programs, auditDir: string): Promise<Swept> {
  const receiver = await startReceiver();
  const collector = await startCollector(receiver.url);
  const front = await startFront(collector.url);
  try {
    const telemetry = setupTracing({ serviceName: framework, endpoint: front.url });
    const failures = await runAll(programs, auditDir).finally(() => telemetry.shutdown());
    await collector.stop();
    return { failures, sent: front.passed, came: receiver.bodies };
  } finally {
    await Promise.all([front.close(), receiver.close()]);
  }
}

/** Gives what did not happen as meant. */
async function runAll(programs: Programs, auditDir: string): Promise<readonly string[]> {
  const three = {
    tracing: tracing({ content: "redacted" }),
    // A client, or a protocol, has no place for some hooks of a guard; all that a model is sent and says passes the others.
    pii: { ...pii(rules, { apply }), whereOffered: ["agent", "tool", "humanInput", "embedding", "retrieval"] },
    audit: audit({ sink: fileSink({ dir: auditDir }), policy: { content: "redacted" }, warn: () => {} }),
  } satisfies Readonly<Record<string, Plugin>>;
  const failures: string[] = [];
  for (const [index, [name, program]] of Object.entries(programs).entries()) {
    const order = orders[index % orders.length] ?? [];
    const plugins = order.map((plugin) => three[plugin as keyof typeof three]);
    await program(plugins).catch((error: unknown) => failures.push(`${name} (${order.join(", ")}): ${inspect(error)}`));
  }
  for (const plugin of Object.values<Plugin>(three)) await plugin.close?.();
  return failures;
}

/** The secrets that these bytes hold, as they are or as addresses spell them. */
function found(bytes: string): readonly string[] {
  const lower = bytes.toLowerCase();
  return secrets.filter((value) => forms(value).some((form) => lower.includes(form)));
}
