import { isRecord } from "@suite/kit";

/** The parameters of a request, or a result: JSON. */
export type Params = Readonly<Record<string, unknown>>;

/** Returns the metadata of a request. */
export const metaOf = ({ _meta }: Params): Params => (isRecord(_meta) ? _meta : {});

/** The key under which each request of the 2026 protocol names its version. Earlier requests do not have it. */
const versionKey = "io.modelcontextprotocol/protocolVersion";

/** Returns the protocol version that a request names. `undefined` for a request of the protocols before 2026. */
export function versionOf(params: Params): string | undefined {
  const version = metaOf(params)[versionKey];
  return typeof version === "string" ? version : undefined;
}

// The types of messages and transports that both versions of the SDK share. The package imports neither version, so
// that a project needs only the one that it uses.

export type RequestId = string | number;

export interface JSONRPCRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Params | undefined;
}

export interface JSONRPCNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: Params | undefined;
}

export interface JSONRPCResultResponse {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result: unknown;
}

export interface JSONRPCErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId | undefined;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

export interface TransportSendOptions {
  readonly relatedRequestId?: RequestId | undefined;
  /** Version 2 over HTTP: its abort cancels the request, without a message. */
  readonly requestSignal?: AbortSignal | undefined;
  /** Version 2 over HTTP: arguments that a tool mirrors in headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Transport {
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  onmessage?: ((message: JSONRPCMessage, extra?: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly sessionId?: string | undefined;
}
