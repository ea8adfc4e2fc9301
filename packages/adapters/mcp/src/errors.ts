import { CodedError } from "@suite/core";

/** The error codes of @suite/mcp. Closed: a new code is a new minor version. */
export type McpAdapterErrorCode =
  /** A layer suspended a call: MCP has nothing that an answer which comes later could be given by. */
  | "ERR_MCP_SUSPENDED"
  /** A layer answered with failure where no result can say so. */
  | "ERR_MCP_NO_FAILURE";

/** The one error class of @suite/mcp. Errors of the other side, of layers and of the SDK are never wrapped in it. */
export class McpAdapterError extends CodedError<McpAdapterErrorCode> {
  static override readonly brand = Symbol.for("@suite/mcp/error");
  override readonly name = "McpAdapterError";
}
