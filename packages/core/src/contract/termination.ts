import { branded } from "../brand.js";

const brand: unique symbol = Symbol.for("@suite/core/termination") as never;

/** What a termination ends: the call that threw it, or the whole agent run. */
export type TerminationScope = "call" | "run";

/**
 * Thrown by a layer to stop on purpose. Control flow, not a failure: nothing retries it.
 *
 * With scope `"call"` the caller goes on without this call's answer (a tool call gives the model a short
 * message); with `"run"` (the default) the agent run ends.
 *
 * @example
 * ```ts
 * throw new MiddlewareTermination("The monthly budget is spent.", { scope: "run" });
 * ```
 */
export class MiddlewareTermination extends Error {
  override readonly name = "MiddlewareTermination";
  readonly code = "ERR_MIDDLEWARE_TERMINATED";
  readonly scope: TerminationScope;
  /** @internal */
  readonly [brand] = true;

  constructor(message: string, options: ErrorOptions & { readonly scope?: TerminationScope } = {}) {
    super(message, options);
    this.scope = options.scope ?? "run";
  }

  /** Makes an error of another class stop a call or a run as this one does. It stays what it is, with its own code. */
  static mark<E extends Error>(error: E, scope: TerminationScope): E {
    return Object.defineProperties(error, { [brand]: { value: true }, scope: { value: scope } });
  }

  /** Holds across duplicated copies of this package, where `instanceof` does not. */
  static is(error: unknown): error is MiddlewareTermination {
    return branded(error, brand);
  }
}
