import type { WireFormat } from "../neutral/format.js";
import type { Addressed } from "../neutral/request.js";

/** A `fetch` of any runtime. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The address of a request, its headers and its options. */
export interface Target {
  readonly url: URL;
  /** The headers without the length of the body, which a plugin may change. */
  readonly headers: Headers;
  readonly init: RequestInit;
}

/** Returns the address of a request. Returns `undefined` if it is not a valid URL. */
export function urlOf(input: string | URL | Request): URL | undefined {
  try {
    return new URL(input instanceof Request ? input.url : String(input));
  } catch {
    return undefined;
  }
}

export const methodOf = (input: string | URL | Request, init: RequestInit = {}): string =>
  (init.method ?? (input instanceof Request ? input.method : "GET")).toUpperCase();

/** The parts of a request, with the body as a string. */
export type Opened = Target & { readonly body: string };

/** Splits a request into its parts. Returns no promise if the body is a string, which all clients send. */
export function opened(
  input: string | URL | Request,
  init: RequestInit | undefined = {},
  url: URL,
): Opened | Promise<Opened> {
  if (input instanceof Request) return read(new Request(input, init), init, url);
  const { body } = init;
  const headers = ofAnyBody(init.headers);
  if (typeof body === "string") return { url, headers, init, body };
  return new Response(body ?? null).text().then((text) => ({ url, headers, init, body: text }));
}

async function read(request: Request, init: RequestInit, url: URL): Promise<Opened> {
  const { method, headers, signal, redirect, credentials, cache, mode, referrer } = request;
  const rest = { method, signal, redirect, credentials, cache, mode, referrer };
  return { url, headers: ofAnyBody(headers), init: { ...rest, ...init }, body: await request.text() };
}

/**
 * Returns the headers without the length of the body. Returns the same object if they have none, because a copy is
 * slow.
 */
function ofAnyBody(init: RequestInit["headers"]): Headers {
  if (init instanceof Headers && !init.has("content-length")) return init;
  const headers = new Headers(init);
  headers.delete("content-length");
  return headers;
}

/** The request to a model: its protocol, address and body. */
export interface Exchange<Format = WireFormat> {
  readonly format: Format;
  readonly target: Target;
  readonly body: string;
  readonly fetch: Fetch;
}

const ports: Readonly<Record<string, number>> = { __proto__: null as never, "http:": 80, "https:": 443 };

/** The providers by the end of the host, with the names of OpenTelemetry (`gen_ai.provider.name`). */
const providers: readonly (readonly [string, string])[] = [
  ["openai.azure.com", "azure.ai.openai"],
  ["services.ai.azure.com", "azure.ai.inference"],
  ["deepseek.com", "deepseek"],
  ["groq.com", "groq"],
  ["mistral.ai", "mistral_ai"],
  ["perplexity.ai", "perplexity"],
  ["x.ai", "x_ai"],
];

/** Returns the provider and the server of an address. */
export function addressOf({ hostname, port, protocol }: URL, provider: string): Addressed {
  const number = port === "" ? ports[protocol] : Number(port);
  const known = providers.find(([end]) => hostname === end || hostname.endsWith(`.${end}`));
  return {
    provider: known?.[1] ?? provider,
    server: { address: hostname, ...(number !== undefined && { port: number }) },
  };
}
