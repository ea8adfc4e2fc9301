import type { CallId } from "./kinds.js";
import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./state-key.js";

/** The target of a request: where it is about to go. The URL is that of the request, not of what a proxy makes of it. */
export type PropagationTarget =
  | { readonly kind: "http"; readonly url: string }
  | { readonly kind: "mcp"; readonly transport: "http"; readonly url: string }
  | { readonly kind: "mcp"; readonly transport: "stdio" };

/** Headers, or such, that a request carries, so that the other side finds the trace: HTTP headers, or entries of MCP's `params._meta`. */
export type Carrier = Readonly<Record<string, string>>;

/** A propagator says what requests of a run's calls are to carry. */
export interface Propagator {
  /** The carrier; undefined for nothing: where the target is not one to be told, say. */
  inject(call: CallId, runtime: RuntimeContext, target: PropagationTarget): Carrier | undefined;
}

/** The propagators of a run. A plugin adds its own in `begin`. */
export const propagatorsKey = sharedKey<Propagator[]>("propagators", () => []);

/**
 * The carrier of a request that is sent for `call`: what all propagators of the run say, else those of the run round
 * it. Undefined where nobody says anything. Never throws: a propagator that does is reported as a fault.
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
    const own = runtime.get(propagatorsKey);
    return own.length > 0 ? own : propagatorsOf(runtime.parent);
  } catch {
    return []; // a run may outlive the one round it, whose state is gone then
  }
}

/** The carrier of the request that led to a run. */
export interface Incoming {
  /** Headers, their names in lower case, or a `Headers`; the `_meta` of an MCP request. Nothing in it is relied on. */
  readonly carrier: Readonly<Record<string, unknown>> | { get(name: string): string | null };
  /** Whether the sender may say which trace the run belongs to, and whether it is recorded. Default false: its trace is linked. */
  readonly trusted?: boolean;
}

/** The key of what came in, set by whoever begins the run, before its first call. */
export const incomingKey = sharedKey<Incoming | undefined>("incoming", () => undefined);
