import { getGlobalTraceProvider } from "@openai/agents";
import type { RunnerLike } from "./framework.js";

let told = false;

/**
 * Warns, once, where the SDK's own tracing is on as well: it sends what goes in and out of models and tools to OpenAI, past
 * all redactors.
 */
export function warnOfOwnTracing(config: RunnerLike["config"]): void {
  if (told || config.tracingDisabled === true || config.traceIncludeSensitiveData === false) return;
  if (!hasKey(config) || !isOn()) return;
  told = true;
  console.warn(
    "@suite/openai-agents: the SDK's own tracing is on beside the plugins, and sends OpenAI what models and tools are given and answer. " +
      "Choose one: setTracingDisabled(true), or OPENAI_AGENTS_DISABLE_TRACING=1, leaves telemetry to the plugins; " +
      "new Runner({ traceIncludeSensitiveData: false }) keeps what is said from OpenAI's traces.",
  );
}

/** Whether the SDK's exporter has a key, as far as that can be seen. */
const hasKey = ({ tracing }: RunnerLike["config"]): boolean =>
  tracing?.apiKey !== undefined || Boolean((globalThis as Environment).process?.env?.OPENAI_API_KEY);

interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** Whether the SDK's tracing is on: where it is off, its traces go nowhere; one that is not started goes nowhere either. */
const isOn = (): boolean => getGlobalTraceProvider().createTrace({ name: "@suite/openai-agents" }).traceId !== "no-op";
