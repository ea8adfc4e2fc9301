import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/mcp. The union is closed: a new code needs a new minor version. */
export type McpAdapterErrorCode =
  /** The target is not a client or server of the SDK. */
  | "ERR_MCP_TARGET"
  /** A layer suspended a call. MCP cannot answer a request later. */
  | "ERR_MCP_SUSPENDED"
  /** A layer answered with a failure, but the result of this request cannot report a failure. */
  | "ERR_MCP_REQUEST_REFUSED"
  /** A layer answered a question in a result, but the answer cannot reach the handler that asked. */
  | "ERR_MCP_INPUT"
  /** A layer changed arguments of a tool, and it is unknown which of them a header mirrors. */
  | "ERR_MCP_HEADER";

/** The error class of @suite/mcp. Errors of the other side, of layers and of the SDK are never wrapped in it. */
export class McpAdapterError extends codedError<McpAdapterErrorCode>("McpAdapterError", "@suite/mcp/error") {}
