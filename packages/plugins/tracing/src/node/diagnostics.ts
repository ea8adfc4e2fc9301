import { format } from "node:util";
import { type DiagLogFunction, DiagLogLevel, diag } from "@opentelemetry/api";
import { hide } from "./redact/secrets.js";

/** Logs the SDK's diagnostics to standard error at the level of `OTEL_LOG_LEVEL`. Returns a function that stops it. */
export function logDiagnostics(level: string | undefined, secrets: readonly string[]): () => void {
  const threshold = Object.entries(DiagLogLevel).find(([name]) => name === level)?.[1];
  if (typeof threshold !== "number" || threshold === DiagLogLevel.NONE) return () => {};
  const log =
    (name: string): DiagLogFunction =>
    (...args) =>
      console.error(`OpenTelemetry ${name}: ${hide(format(...args), secrets)}`);
  diag.setLogger(
    { error: log("error"), warn: log("warn"), info: log("info"), debug: log("debug"), verbose: log("verbose") },
    { logLevel: threshold, suppressOverrideMessage: true },
  );
  return () => diag.disable();
}
