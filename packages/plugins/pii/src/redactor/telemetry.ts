import type { Engine } from "./engine.js";
import { type PiiRedactor, redactorOf } from "./redactor.js";

/** What is emitted in place of something that could not be looked through. */
const withheld = "[REDACTED]";

/** The redactor for what leaves through telemetry and audit: it never blocks and never throws. */
export function telemetryRedactor(engine: Engine): PiiRedactor {
  const redactor = redactorOf(engine, { onBlock: "redact" });
  return {
    ...redactor,
    redact: (text) => String(orWithheld(() => redactor.redact(text))),
    value: (value) => orWithheld(() => redactor.value(value)),
  };
}

function orWithheld<T>(treat: () => T): T | string {
  try {
    return treat();
  } catch {
    return withheld;
  }
}
