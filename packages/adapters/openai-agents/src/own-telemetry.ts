import { getGlobalTraceProvider } from "@openai/agents";
import type { RunnerLike } from "./framework.js";

let warned = false;

/**
 * Warns once if the SDK's tracing is also enabled: it sends the input and output of models and tools to OpenAI without
 * redaction.
 */
export function warnOfSdkTracing(config: RunnerLike["config"]): void {
  if (warned || config.tracingDisabled === true || config.traceIncludeSensitiveData === false) return;
  if (!hasKey(config) || !isOn()) return;
  warned = true;
  console.warn(
    "@suite/openai-agents: the SDK's tracing is on in addition to the plugins, and sends inputs and outputs of models and tools to OpenAI. " +
      "Choose one: setTracingDisabled(true), or OPENAI_AGENTS_DISABLE_TRACING=1, leaves telemetry to the plugins; " +
      "new Runner({ traceIncludeSensitiveData: false }) keeps messages out of OpenAI's traces.",
  );
}

/** True if the SDK's exporter has an API key, as far as this can be determined. */
const hasKey = ({ tracing }: RunnerLike["config"]): boolean =>
  tracing?.apiKey !== undefined || Boolean((globalThis as Environment).process?.env?.OPENAI_API_KEY);

interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/**
 * True if the SDK's tracing is enabled. If it is disabled, traces are not exported. Neither is a trace that is not
 * started.
 */
const isOn = (): boolean => getGlobalTraceProvider().createTrace({ name: "@suite/openai-agents" }).traceId !== "no-op";
