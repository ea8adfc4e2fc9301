import type { EmbedSettings } from "./framework.js";

let warned = false;

/**
 * Warns once if the telemetry of the AI SDK is on next to the plugins. It would report each call twice, with prompts as
 * they were before any guard.
 */
export function warnOfTelemetry({
  experimental_telemetry,
  telemetry = experimental_telemetry,
}: Pick<EmbedSettings, "experimental_telemetry" | "telemetry">): void {
  if (warned) return;
  const registered = (globalThis.AI_SDK_TELEMETRY_INTEGRATIONS ?? []).length > 0;
  const on = telemetry?.isEnabled === true || (registered && telemetry?.isEnabled !== false);
  if (!on) return;
  warned = true;
  console.warn(
    "@suite/ai-sdk: the AI SDK's telemetry is on in addition to the plugins. Its spans contain prompts and responses that no plugin has redacted. " +
      "Choose one: leave out experimental_telemetry (or set telemetry: { isEnabled: false }), or leave out the tracing plugin.",
  );
}
