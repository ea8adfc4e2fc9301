import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./state-key.js";

/** Takes personal data out of what would leave through telemetry or audit. It never throws on any input, and never blocks. */
export interface Redactor {
  redact(text: string): string;
  /** Redacts any JSON-like value: shape and types stay. */
  value(value: unknown): unknown;
  /**
   * A redactor like this one, except that `replace` says what stands in the place of each value that is found. Optional: a
   * redactor without it says so itself.
   */
  replacing?(replace: ReplaceValue): Redactor;
}

/** A function that says what stands in the place of a value, of the type that the redactor gives it (`email`). */
export type ReplaceValue = (value: string, type: string) => string;

/** All redactors of a run: those of its plugins and of its parent run. Bound before the first hook; sealed. */
export const redactorsKey = sharedKey<readonly Redactor[]>("redactors", () => [], { sealed: true });

/** The redactors of a run as one, or undefined where there is none. */
export function redactorOf(runtime: RuntimeContext): Redactor | undefined {
  const all = runtime.get(redactorsKey);
  return all.length < 2 ? all[0] : chain(all);
}

const chain = (all: readonly Redactor[]): Redactor => ({
  redact: (text) => all.reduce((done, redactor) => redactor.redact(done), text),
  value: (value) => all.reduce((done, redactor) => redactor.value(done), value),
  replacing: (replace) => chain(all.map((redactor) => redactor.replacing?.(replace) ?? redactor)),
});
