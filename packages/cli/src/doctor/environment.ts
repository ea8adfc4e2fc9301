import { type Finding, wrong } from "./finding.js";

type Env = Readonly<Record<string, string | undefined>>;

const SUBJECT = "environment";

/** Reports variables of OpenTelemetry that keep all traces from leaving the program. */
export function checkEnvironment(env: Env): readonly Finding[] {
  const is = (name: string, value: string): boolean => env[name]?.trim().toLowerCase() === value;
  return [
    ...(is("OTEL_SDK_DISABLED", "true") ? [off("OTEL_SDK_DISABLED=true: tracing is off", "OTEL_SDK_DISABLED")] : []),
    ...(is("OTEL_TRACES_SAMPLER", "always_off") || is("OTEL_TRACES_SAMPLER", "parentbased_always_off")
      ? [off("OTEL_TRACES_SAMPLER turns every trace off", "OTEL_TRACES_SAMPLER")]
      : []),
    ...(is("OTEL_TRACES_EXPORTER", "none")
      ? [off("OTEL_TRACES_EXPORTER=none: no trace is sent", "OTEL_TRACES_EXPORTER")]
      : []),
  ];
}

const off = (found: string, name: string): Finding => wrong(SUBJECT, `${found}.`, `unset ${name}`);
