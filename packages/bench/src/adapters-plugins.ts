import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { audit, fileSink } from "@suite/audit";
import type { Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";

/** The plugins that adapters are measured with, and a provider for the telemetry of a framework itself. */
export async function openPlugins() {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [nowhere] });
  const dir = await mkdtemp(join(tmpdir(), "suite-bench-"));
  const guard = pii({ email: "redact", credit_card: "mask" }, { apply: { output: true } });
  const log = audit({ sink: fileSink({ dir }), policy: { delivery: "buffered" }, warn: () => {} });
  return {
    tracerProvider,
    tracing: tracing({ content: "full", tracerProvider, warn: () => {} }),
    all: [tracing({ content: "redacted", tracerProvider }), guard, log] as readonly Plugin[],
    async close(): Promise<void> {
      await log.close?.();
      await tracerProvider.shutdown();
      context.disable();
      await rm(dir, { recursive: true });
    },
  };
}

/** A span processor that drops all spans: only the creation of spans is measured. */
const nowhere = { onStart() {}, onEnd() {}, forceFlush: async () => {}, shutdown: async () => {} };
