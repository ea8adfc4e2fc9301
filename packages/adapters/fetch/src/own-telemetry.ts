import type { Plugin } from "@suite/core";
import { jsonOf } from "./json.js";

let warned = false;

/**
 * Warns once if Anthropic's SDK creates spans in addition to those of a tracing plugin, or spans with content, which no
 * redactor can change. The SDK creates spans if a tracer is registered.
 */
export function warnOfSdkSpans(client: object, plugins: readonly Plugin[]): void {
  const { openTelemetry } = client as { readonly openTelemetry?: unknown };
  const traces = jsonOf(jsonOf(openTelemetry).traces);
  if (warned || traces.enabled !== true) return;
  const doubled = plugins.some(({ name }) => name === "tracing");
  if (!doubled && traces.contentMode !== "content") return;
  warned = true;
  console.warn(
    "@suite/fetch: Anthropic's SDK creates its spans for each call, and no redactor covers them. Choose one: " +
      "new Anthropic({ openTelemetry: false }), or leave out the tracing plugin.",
  );
}
