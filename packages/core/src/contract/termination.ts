import { branded } from "../brand.js";
import { CoreError } from "../errors.js";
import type { Reply } from "../messages/message.js";

const brand: unique symbol = Symbol.for("@suite/core/termination") as never;

/** The scope that a termination ends: the call that threw it or the whole agent run. */
export type TerminationScope = "call" | "run";

/** Options of a termination. */
export interface TerminationOptions extends ErrorOptions {
  /** `run` (default): ends the agent's run. `call`: ends only this call. */
  readonly scope?: TerminationScope;
  /**
   * The answer that the run ends with, for scope `"run"`. @suite/agent, @suite/langchain and @suite/ai-sdk end with it,
   * and open tool calls count as stopped. Other frameworks end with the error. A layer of the `agent` kind uses
   * `respond` instead, so that outer layers see the answer: its error becomes the run's error.
   */
  readonly reply?: string | Reply;
}

/**
 * Thrown by a layer to stop on purpose. It is control flow and not a failure: nothing retries it.
 *
 * With scope `"call"` the caller continues without this call's answer (for a tool call, the model receives a short
 * message). With `"run"` (the default) the agent run ends.
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
  /** The answer that the run completes with. `undefined`: the run fails with this error. */
  readonly reply: Reply | undefined;
  /** @internal */
  readonly [brand] = true;

  /** @throws CoreError `ERR_INVALID_OPTION` */
  constructor(message: string, options: TerminationOptions = {}) {
    super(message, options);
    const { scope = "run", reply } = options;
    const other = Object.keys(options).find((name) => name !== "scope" && name !== "reply" && name !== "cause");
    if (other !== undefined || (scope !== "run" && scope !== "call")) {
      throw new CoreError(
        "ERR_INVALID_OPTION",
        `MiddlewareTermination() takes scope ("run" or "call"), reply and cause. It was passed ${other ?? "another scope"}.`,
      );
    }
    this.scope = scope;
    this.reply =
      typeof reply === "string" ? { message: { role: "assistant", parts: [{ type: "text", content: reply }] } } : reply;
  }

  /** Makes an error of another class end a call or a run like this one. Its class and code stay. */
  static mark<E extends Error>(error: E, scope: TerminationScope): E {
    return Object.defineProperties(error, { [brand]: { value: true }, scope: { value: scope } });
  }

  /** Returns true for a termination. Also works across copies of this package, unlike `instanceof`. */
  static is(error: unknown): error is MiddlewareTermination {
    return branded(error, brand);
  }
}
