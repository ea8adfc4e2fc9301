import { CodedError } from "@suite/core";

/** The error codes of @suite/mcp. Closed: a new code is a new minor version. */
export type McpAdapterErrorCode =
  /** The target is no client or server of version 1 of the SDK. */
  | "ERR_MCP_TARGET"
  /** A layer's suspension of a call: MCP has no way to give its answer later. */
  | "ERR_MCP_SUSPENDED"
  /** A layer's answer with failure, for a request whose result cannot say that it failed. */
  | "ERR_MCP_NO_FAILURE";

/** The one error class of @suite/mcp. Errors of the other side, of layers and of the SDK are never wrapped in it. */
export class McpAdapterError extends CodedError<McpAdapterErrorCode> {
  static override readonly brand = Symbol.for("@suite/mcp/error");
  override readonly name = "McpAdapterError";
}
