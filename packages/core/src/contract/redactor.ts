import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./runtime.js";

/** Takes personal data out of what would leave through telemetry or audit. It never throws on any input, and never blocks. */
export interface Redactor {
  redact(text: string): string;
  /** The same for any JSON-like value: shape and types stay. */
  value(value: unknown): unknown;
}

/** All redactors of a run: those of its plugins and of its parent run. Bound before the first hook; sealed. */
export const redactorsKey = sharedKey<readonly Redactor[]>("redactors", () => [], { sealed: true });

/** The redactors of a run as one, or undefined where there is none. */
export function redactorOf(runtime: RuntimeContext): Redactor | undefined {
  const all = runtime.get(redactorsKey);
  if (all.length < 2) return all[0];
  return {
    redact: (text) => all.reduce((done, redactor) => redactor.redact(done), text),
    value: (value) => all.reduce((done, redactor) => redactor.value(done), value),
  };
}
