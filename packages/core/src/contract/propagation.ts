import type { CallId } from "./kinds.js";
import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./state-key.js";

/** The target of a request. The URL is the request's, before any proxy changes it. */
export type PropagationTarget =
  | { readonly kind: "http"; readonly url: string }
  | { readonly kind: "mcp"; readonly transport: "http"; readonly url: string }
  | { readonly kind: "mcp"; readonly transport: "stdio" };

/** Headers or entries of MCP's `params._meta` that a request carries, so that the receiver finds the trace. */
export type Carrier = Readonly<Record<string, string>>;

/** Returns the headers for requests of a run's calls. */
export interface Propagator {
  /** Returns the carrier, or `undefined` for none, for example if the target must not receive one. */
  inject(call: CallId, runtime: RuntimeContext, target: PropagationTarget): Carrier | undefined;
}

/** The propagators of a run. A plugin adds its propagator in `begin`. */
export const propagatorsKey = sharedKey<Propagator[]>("propagators", () => []);

/**
 * Returns the carrier of a request that is sent for `call`, from all propagators of the run. If the run has none, those
 * of the parent run are used. Returns `undefined` if there is nothing to send. Never throws: an error in a propagator
 * is reported as a fault.
 *
 * @example
 * ```ts
 * const carrier = propagate(call, runtime, { kind: "mcp", transport: "stdio" });
 * const params = { name, arguments: input, _meta: { ...given, ...carrier } };
 * ```
 */
export function propagate(call: CallId, runtime: RuntimeContext, target: PropagationTarget): Carrier | undefined {
  let carrier: Carrier | undefined;
  for (const propagator of propagatorsOf(runtime)) {
    try {
      const more = propagator.inject(call, runtime, target);
      if (more !== undefined) carrier = { ...carrier, ...more };
    } catch (error) {
      runtime.notify({ type: "fault", call, where: "a propagator", error });
    }
  }
  return carrier;
}

function propagatorsOf(runtime: RuntimeContext | undefined): readonly Propagator[] {
  if (runtime === undefined) return [];
  try {
    const registered = runtime.get(propagatorsKey);
    return registered.length > 0 ? registered : propagatorsOf(runtime.parent);
  } catch {
    return []; // the parent run may have ended before this one, and its state is gone then
  }
}

/** The carrier of the request that led to a run. */
export interface Incoming {
  /** Headers with lower-case names, a `Headers` object, or the `_meta` of an MCP request. Untrusted input. */
  readonly carrier: Readonly<Record<string, unknown>> | { get(name: string): string | null };
  /**
   * True if the sender may set the run's trace and if it is recorded. Default false: the sender's trace is only linked.
   */
  readonly trusted?: boolean;
}

/** The key of the incoming carrier, set by the code that begins the run, before its first call. */
export const incomingKey = sharedKey<Incoming | undefined>("incoming", () => undefined);
