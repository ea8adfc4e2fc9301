import { type Attributes, diag } from "@opentelemetry/api";
import { type RuntimeContext, stateKey } from "@suite/core";
import { errorTypeOf } from "@suite/kit/errors";
import { OWN } from "./own-names.js";
import { put } from "./redact.js";

/** Custom attributes for all spans of a run: fixed, or returned by a function that is called once per run. */
export type RunAttributes = Attributes | ((runtime: RuntimeContext) => Attributes | undefined);

/**
 * Returns the attributes that every span of a run has from its start: the user, the session, and those of
 * `tracing({ attributes })`.
 */
export function attributesOfRun(asked: RunAttributes | undefined): (runtime: RuntimeContext) => Attributes {
  const known = stateKey<{ attributes?: Attributes }>("tracing.run-attributes", () => ({}));
  return (runtime) => {
    const kept = runtime.get(known);
    kept.attributes ??= made(asked, runtime);
    return kept.attributes;
  };
}

function made(asked: RunAttributes | undefined, runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  try {
    Object.assign(attributes, typeof asked === "function" ? asked(runtime) : asked);
  } catch (error) {
    // A run must not fail because of the attributes of its spans.
    diag.error(`@suite/tracing: tracing({ attributes }) threw (${errorTypeOf(error)}). The run's spans go without.`);
  }
  put(attributes, OWN.userId, runtime.userId);
  put(attributes, OWN.sessionId, runtime.sessionId);
  put(attributes, OWN.tenantId, runtime.tenantId);
  return attributes;
}
