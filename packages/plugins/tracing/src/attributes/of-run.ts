import { type Attributes, diag } from "@opentelemetry/api";
import { type RuntimeContext, stateKey } from "@suite/core";
import { errorTypeOf } from "@suite/core/error-type";
import { OWN } from "./own-names.js";
import { put } from "./redact.js";

/** Attributes of one's own for all spans of a run: fixed, or asked for once per run. */
export type RunAttributes = Attributes | ((runtime: RuntimeContext) => Attributes | undefined);

/** Gives what every span of a run says from its start: the user, the session, and what `tracing({ attributes })` adds. */
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
    // A run does not fail because of what its spans were to say.
    diag.error(`@suite/tracing: tracing({ attributes }) threw (${errorTypeOf(error)}). The run's spans go without.`);
  }
  put(attributes, OWN.userId, runtime.userId);
  put(attributes, OWN.sessionId, runtime.sessionId);
  put(attributes, OWN.tenantId, runtime.tenantId);
  return attributes;
}
