import { type Attributes, diag } from "@opentelemetry/api";
import { type RuntimeContext, stateKey } from "@suite/core";
import { errorTypeOf } from "@suite/kit/errors";
import { SUITE } from "./own-names.js";
import { put } from "./redact.js";

/** Custom attributes for all spans of a run: fixed, or returned by a function that is called once per run. */
export type RunAttributes = Attributes | ((runtime: RuntimeContext) => Attributes | undefined);

/**
 * Returns the attributes that every span of a run has from its start: the user, the session, and those of
 * `tracing({ attributes })`.
 */
export function attributesOfRun(option: RunAttributes | undefined): (runtime: RuntimeContext) => Attributes {
  const known = stateKey<{ attributes?: Attributes }>("tracing.run-attributes", () => ({}));
  return (runtime) => {
    const cached = runtime.get(known);
    cached.attributes ??= attributesFrom(option, runtime);
    return cached.attributes;
  };
}

function attributesFrom(option: RunAttributes | undefined, runtime: RuntimeContext): Attributes {
  const attributes: Attributes = {};
  try {
    Object.assign(attributes, typeof option === "function" ? option(runtime) : option);
  } catch (error) {
    // A run must not fail because of the attributes of its spans.
    diag.error(`@suite/tracing: tracing({ attributes }) threw (${errorTypeOf(error)}). The run's spans go without.`);
  }
  put(attributes, SUITE.userId, runtime.userId);
  put(attributes, SUITE.sessionId, runtime.sessionId);
  put(attributes, SUITE.tenantId, runtime.tenantId);
  return attributes;
}
