import type { Attributes } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import { type ExitOptions, ExitRedactor } from "./exit-redactor.js";

/** Attributes of metrics are few and come again with every measurement. */
const MOST_REMEMBERED = 1000;
const LONGEST_REMEMBERED = 256;

/**
 * The view of the SDK by which the attributes of every instrument are redacted before values are added up, whoever made
 * it: HTTP instrumentations put error messages there, database instrumentations the first word of a statement. What is
 * equal once it is redacted is one series.
 */
export function redactingView(redactor: Redactor, options: ExitOptions) {
  const exit = new ExitRedactor(remembering(redactor), options);
  const process = (attributes: Attributes): Attributes => {
    try {
      return exit.attributes(attributes);
    } catch {
      // It would be thrown at whoever measures.
      return {};
    }
  };
  return { instrumentName: "*", attributesProcessors: [{ process }] };
}

function remembering(redactor: Redactor): Redactor {
  const known = new Map<string, string>();
  return {
    value: (value) => redactor.value(value),
    redact(text) {
      const remembered = known.get(text);
      if (remembered !== undefined) return remembered;
      const redacted = redactor.redact(text);
      if (known.size < MOST_REMEMBERED && text.length <= LONGEST_REMEMBERED) known.set(text, redacted);
      return redacted;
    },
  };
}
