import { CodedError } from "./coded-error.js";

/** The codes of all errors of @suite/core. Closed: a new code requires a new minor version. */
export type CoreErrorCode =
  /** `callNext` was called again before its earlier call had ended. */
  | "ERR_CALL_NEXT_CONCURRENT"
  /** A layer returned before its `callNext` had ended. */
  | "ERR_CALL_NEXT_NOT_AWAITED"
  /** All layers returned, but neither the core nor a layer has answered. */
  | "ERR_NO_ANSWER"
  /** `pipe` was called before there was an answer. */
  | "ERR_PIPE_WITHOUT_ANSWER"
  /** `pipe` was called after the answer was read. */
  | "ERR_PIPE_AFTER_READ"
  /** A second consumer of one answer. */
  | "ERR_ALREADY_CONSUMED"
  /** `emit` was called after the stage's call had returned. */
  | "ERR_EMIT_AFTER_RETURN"
  /** `final()` was called on a suspended answer. */
  | "ERR_SUSPENDED"
  /** `runtime` was used after its run had ended. */
  | "ERR_RUN_ENDED"
  /** `runtime.set` was called for a key that only core may set. */
  | "ERR_KEY_SEALED"
  /** Two durable keys of one run have the same name. */
  | "ERR_DUPLICATE_KEY"
  /** A plugin requires a hook that this adapter does not serve. */
  | "ERR_HOOK_NOT_SERVED"
  /** The value is not a plugin, or a hook is not a function. */
  | "ERR_INVALID_PLUGIN"
  /** An option does not exist or has an invalid value. */
  | "ERR_INVALID_OPTION"
  /** A hook returned a jump or a change that it had not declared. */
  | "ERR_NOT_DECLARED"
  /** A hook kept jumping back to the model. */
  | "ERR_TOO_MANY_JUMPS"
  /** A layer set another model client, which this adapter does not support. */
  | "ERR_CLIENT_NOT_SERVED"
  /** A plugin's model calls were nested too deeply. */
  | "ERR_ASK_NESTED"
  /** An answer was replaced, retried or left unread. `final()` rejects with this. It is not a failure. */
  | "ERR_CANCELLED"
  /** A `StateStore` was called with a ttl, an amount or a maximum that it cannot store exactly. */
  | "ERR_INVALID_STORE_CALL"
  /** The memory store has reached its maximum of live entries. */
  | "ERR_STORE_FULL"
  /** A part of a tool's content is not text, blob, file or uri. */
  | "ERR_INVALID_CONTENT"
  /** An option of `withPlugins`, or a field of the result of its function `run`, does not exist or has another type. */
  | "ERR_INVALID_OPTION"
  /** The run belongs to another copy of core, or is another kind of object. */
  | "ERR_INVALID_RUN";

/** The only error class of @suite/core. Errors of users and frameworks are never wrapped in it. */
export class CoreError extends CodedError<CoreErrorCode> {
  static override readonly brand = Symbol.for("@suite/core/error");
  override readonly name = "CoreError";
}
