import type { RunIdentity, WithPluginsOptions } from "../contract/identity.js";
import { CoreError } from "../errors.js";

/** Returns the ids of a run that begins now. */
export type Identify = () => RunIdentity | undefined;

const ids = ["userId", "sessionId", "tenantId"] as const;
const fields: readonly string[] = [...ids, "values"];

/**
 * Reads the option `run` of `withPlugins`.
 *
 * @returns the function with its results checked. `undefined` without that option.
 * @throws CoreError `ERR_INVALID_OPTION`
 */
export function identifyOf(options: WithPluginsOptions | undefined): Identify | undefined {
  if (options === undefined) return undefined;
  refuseUnknown("withPlugins()", "option", options, ["run"]);
  const { run } = options;
  if (run === undefined) return undefined;
  if (typeof run !== "function")
    throw invalid(`The option run of withPlugins() must be a function, not ${typeof run}.`);
  return () => checked(run());
}

function checked(identity: RunIdentity | undefined): RunIdentity | undefined {
  if (identity === undefined) return undefined;
  if (identity instanceof Promise) {
    // The call fails with this error. Without the catch, the promise's rejection would end the process.
    identity.catch(() => {});
    throw invalid("The function run returned a promise. Return the ids themselves; read them before the call.");
  }
  refuseUnknown("the result of run", "field", identity, fields);
  for (const field of ids) {
    const id: unknown = identity[field];
    if (id === undefined || (typeof id === "string" && id !== "")) continue;
    throw invalid(`${field} of the result of run is a string that is not empty, or undefined; it was ${kindOf(id)}.`);
  }
  const { values } = identity;
  if (values !== undefined && typeof (values as Partial<Iterable<unknown>>)[Symbol.iterator] !== "function") {
    throw invalid("values of the result of run are Values of @suite/core, or pairs of a key and a value.");
  }
  return identity;
}

const kindOf = (value: unknown): string => (value === "" ? "empty" : value === null ? "null" : typeof value);

function refuseUnknown(of: string, kind: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== "object" || value === null) throw invalid(`${of} takes an object with ${known.join(", ")}.`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw invalid(`${of} has no ${kind} ${JSON.stringify(unknown.slice(0, 64))}. Use ${known.join(", ")}.`);
}

const invalid = (message: string): CoreError => new CoreError("ERR_INVALID_OPTION", message);
