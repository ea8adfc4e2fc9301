import type { Plugin } from "@suite/core";
import { jsonOf } from "./json.js";

let warned = false;

/**
 * Anthropic's SDK makes spans of its own where a tracer is registered. Tells, once, of those beside the spans of a tracing
 * plugin, and of those with content, which no redactor reaches.
 */
export function warnOfOwnSpans(client: object, plugins: readonly Plugin[]): void {
  const { openTelemetry } = client as { readonly openTelemetry?: unknown };
  const traces = jsonOf(jsonOf(openTelemetry).traces);
  if (warned || traces.enabled !== true) return;
  const doubled = plugins.some(({ name }) => name === "tracing");
  if (!doubled && traces.contentMode !== "content") return;
  warned = true;
  console.warn(
    "@suite/fetch: Anthropic's SDK makes spans of its own for each call, which no redactor reaches. Choose one: " +
      "new Anthropic({ openTelemetry: false }), or leave out the tracing plugin.",
  );
}
