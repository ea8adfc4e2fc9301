import { CodedError } from "@suite/core";

/** The error codes of @suite/mcp. The union is closed: a new code needs a new minor version. */
export type McpAdapterErrorCode =
  /** The target is not a client or server of version 1 of the SDK. */
  | "ERR_MCP_TARGET"
  /** A layer suspended a call. MCP cannot answer a request later. */
  | "ERR_MCP_SUSPENDED"
  /** A layer answered with a failure, but the result of this request cannot report a failure. */
  | "ERR_MCP_REQUEST_REFUSED";

/** The error class of @suite/mcp. Errors of the other side, of layers and of the SDK are never wrapped in it. */
export class McpAdapterError extends CodedError<McpAdapterErrorCode> {
  static override readonly brand = Symbol.for("@suite/mcp/error");
  override readonly name = "McpAdapterError";
}
