import { CodedError } from "./coded-error.js";

/** The codes of all errors of @suite/core itself. Closed: a new code is a new minor version. */
export type CoreErrorCode =
  /** `callNext` was called again before its earlier call had ended. */
  | "ERR_CALL_NEXT_CONCURRENT"
  /** A layer returned before its `callNext` had ended. */
  | "ERR_CALL_NEXT_NOT_AWAITED"
  /** All layers returned, and neither the core nor a layer has answered. */
  | "ERR_NO_ANSWER"
  /** `pipe` before there is an answer. */
  | "ERR_PIPE_WITHOUT_ANSWER"
  /** `pipe` after the answer was read. */
  | "ERR_PIPE_AFTER_READ"
  /** A second consumer of one answer. */
  | "ERR_ALREADY_CONSUMED"
  /** `emit` after the stage's own call had returned. */
  | "ERR_EMIT_AFTER_RETURN"
  /** `final()` of an answer that is suspended. */
  | "ERR_SUSPENDED"
  /** `runtime` used after its run had ended. */
  | "ERR_RUN_ENDED"
  /** `runtime.set` of a key that only core may set. */
  | "ERR_KEY_SEALED"
  /** Two durable keys of one run have the same name. */
  | "ERR_DUPLICATE_KEY"
  /** A plugin requires a hook that this adapter has no place for. */
  | "ERR_HOOK_NOT_SERVED"
  /** The value is not a plugin, or a hook is not a function. */
  | "ERR_INVALID_PLUGIN"
  /** An option does not exist, or has a value that it cannot have. */
  | "ERR_INVALID_OPTION"
  /** A hook returned a jump or a change that it had not declared. */
  | "ERR_NOT_DECLARED"
  /** A hook kept jumping back to the model. */
  | "ERR_TOO_MANY_JUMPS"
  /** A layer named another model client, and this adapter asks its own alone. */
  | "ERR_CLIENT_NOT_SERVED"
  /** A plugin asked a model within its own question, again and again. */
  | "ERR_ASK_NESTED"
  /** An answer was replaced, retried, or left unread: `final()` rejects with this, which is no failure. */
  | "ERR_CANCELLED"
  /** A `StateStore` was asked with a ttl, an amount or a maximum that it cannot keep exactly. */
  | "ERR_INVALID_STORE_CALL"
  /** The memory store has as many living entries as it may have. */
  | "ERR_STORE_FULL"
  /** A part of a tool's content is none of text, blob, file and uri. */
  | "ERR_INVALID_CONTENT"
  /** An option of `withPlugins`, or a field that its function `run` returned, does not exist or has another type. */
  | "ERR_INVALID_OPTION"
  /** A run of another copy of core, or of another kind of object, was given. */
  | "ERR_INVALID_RUN";

/** The one error class of @suite/core. Errors of users and frameworks are never wrapped in it. */
export class CoreError extends CodedError<CoreErrorCode> {
  static override readonly brand = Symbol.for("@suite/core/error");
  override readonly name = "CoreError";
}
