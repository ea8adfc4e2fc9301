import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./state-key.js";

/** Removes personal data from telemetry and audit. It never throws for any input, and never blocks. */
export interface Redactor {
  redact(text: string): string;
  /** Redacts any JSON-like value. Shape and types stay. */
  value(value: unknown): unknown;
  /**
   * Returns a redactor that replaces each found value with the result of `replace`. Optional: a redactor without it
   * uses its usual replacement.
   */
  replacing?(replace: ReplaceValue): Redactor;
}

/** Returns the replacement of a value. `type` is the redactor's type of the value (`email`). */
export type ReplaceValue = (value: string, type: string) => string;

/** All redactors of a run: those of its plugins and of its parent run. Bound before the first hook. Sealed. */
export const redactorsKey = sharedKey<readonly Redactor[]>("redactors", () => [], { sealed: true });

/** Combines the redactors of a run into one. Returns `undefined` if the run has no redactor. */
export function redactorOf(runtime: RuntimeContext): Redactor | undefined {
  const all = runtime.get(redactorsKey);
  return all.length < 2 ? all[0] : chain(all);
}

const chain = (all: readonly Redactor[]): Redactor => ({
  redact: (text) => all.reduce((done, redactor) => redactor.redact(done), text),
  value: (value) => all.reduce((done, redactor) => redactor.value(done), value),
  replacing: (replace) => chain(all.map((redactor) => redactor.replacing?.(replace) ?? redactor)),
});
