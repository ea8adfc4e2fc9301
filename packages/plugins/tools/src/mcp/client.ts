import { isObject } from "@suite/kit";
import { type CallResult, callResultIn } from "./blocks.js";

/**
 * A connected client: `Client` of `@modelcontextprotocol/sdk` 1 or of `@modelcontextprotocol/client` 2. The package
 * imports neither, so that a project needs only the one that it uses.
 */
export interface McpClient {
  request(request: never, schema: never, options?: never): Promise<unknown>;
  setRequestHandler(request: never, handler: never): void;
  callTool(params: never): Promise<unknown>;
}

/** The options of a request that both versions have. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly maxTotalTimeout?: number;
  readonly resetTimeoutOnProgress?: boolean;
  onprogress?(progress: { readonly progress: number; readonly total?: number; readonly message?: string }): void;
}

/** A schema that both versions take: version 1 in the form of Zod 3, version 2 as a Standard Schema. */
export interface ResultSchema<T> {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: T } | { readonly success: false; readonly error: Error };
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): { readonly value: T } | { readonly issues: readonly { readonly message: string }[] };
  };
}

/**
 * Creates the schema of a result.
 *
 * @param read returns the result, or `undefined` if the server's value is not one.
 */
export function resultSchema<T>(name: string, read: (value: unknown) => T | undefined): ResultSchema<T> {
  const message = `The MCP server's answer is not a result of ${name}.`;
  return {
    safeParse(value) {
      const data = read(value);
      return data === undefined ? { success: false, error: new Error(message) } : { success: true, data };
    },
    "~standard": {
      version: 1,
      vendor: "@suite/tools",
      validate(value) {
        const data = read(value);
        return data === undefined ? { issues: [{ message }] } : { value: data };
      },
    },
  };
}

/** Sends a request. Both versions take the schema of the result. */
export function request<T>(
  client: McpClient,
  sent: { readonly method: string; readonly params: Readonly<Record<string, unknown>> },
  schema: ResultSchema<T>,
  options: RequestOptions,
): Promise<T> {
  const send = client.request as (...parameters: readonly unknown[]) => Promise<T>;
  return send.call(client, sent, schema, options);
}

const callResult = resultSchema("tools/call", callResultIn);

/**
 * Calls a tool.
 *
 * @param inputSchema the schema as the server listed it. Version 2 finds in it which arguments HTTP headers must mirror.
 * @throws an error of the SDK, also for a result that does not conform to the protocol.
 */
export async function callTool(
  client: McpClient,
  params: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  inputSchema: unknown,
  options: RequestOptions,
): Promise<CallResult> {
  if (!isVersion2(client)) return request(client, { method: "tools/call", params }, callResult, options);
  const call = client.callTool as (...parameters: readonly unknown[]) => Promise<unknown>;
  // Without the output schema: the SDK would fail all calls of a tool whose schema is invalid.
  const toolDefinition = { name: params.name, inputSchema };
  const checked = callResult.safeParse(await call.call(client, params, { ...options, toolDefinition }));
  if (checked.success) return checked.data;
  throw checked.error;
}

/** Sets the handler of a request. Version 1 takes a schema with the method's name, version 2 the name. */
export function handle(
  client: McpClient,
  method: string,
  handler: (request: { readonly params: unknown }) => Promise<unknown>,
): void {
  const schema = { ...resultSchema(method, (value) => value), shape: { method: { _def: { value: method } } } };
  const set = client.setRequestHandler as (...parameters: readonly unknown[]) => void;
  set.call(client, isVersion2(client) ? method : schema, handler);
}

/** True for a client of version 2, which creates a context for each request. */
const isVersion2 = (client: object): boolean => "buildContext" in client;

/** True for a client of either version. A server has `request` too, for example for sampling. */
export const isClient = (value: unknown): value is McpClient =>
  isObject(value) &&
  typeof value.request === "function" &&
  !("createMessage" in value) &&
  (!isVersion2(value) || typeof value.callTool === "function");
