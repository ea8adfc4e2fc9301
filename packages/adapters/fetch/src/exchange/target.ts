import type { WireFormat } from "../neutral/format.js";
import type { Addressed } from "../neutral/request.js";

/** A `fetch` of any runtime. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The address of a request, and what it is sent with. */
export interface Target {
  readonly url: URL;
  /** The headers without the length of the body, which may become another. */
  readonly headers: Headers;
  readonly init: RequestInit;
}

/** The address of a request, whatever form it is given in; undefined where it is none. */
export function urlOf(input: string | URL | Request): URL | undefined {
  try {
    return new URL(input instanceof Request ? input.url : String(input));
  } catch {
    return undefined;
  }
}

export const methodOf = (input: string | URL | Request, init: RequestInit = {}): string =>
  (init.method ?? (input instanceof Request ? input.method : "GET")).toUpperCase();

/** The parts of a request, its body as text. */
export type Opened = Target & { readonly body: string };

/** Takes a request apart. Without a promise where its body is a text, as that of every client is. */
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

/** The headers without the length of the body. The very object where it has none: copying costs as much as building them. */
function ofAnyBody(given: RequestInit["headers"]): Headers {
  if (given instanceof Headers && !given.has("content-length")) return given;
  const headers = new Headers(given);
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

const ports: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Hosts by the end of their name, under OpenTelemetry's names (`gen_ai.provider.name`). */
const providers: readonly (readonly [string, string])[] = [
  ["openai.azure.com", "azure.ai.openai"],
  ["services.ai.azure.com", "azure.ai.inference"],
  ["deepseek.com", "deepseek"],
  ["groq.com", "groq"],
  ["mistral.ai", "mistral_ai"],
  ["perplexity.ai", "perplexity"],
  ["x.ai", "x_ai"],
];

/** The provider and the server, as far as the address tells. */
export function addressOf({ hostname, port, protocol }: URL, provider: string): Addressed {
  const number = port === "" ? ports[protocol] : Number(port);
  const own = providers.find(([end]) => hostname === end || hostname.endsWith(`.${end}`));
  return {
    provider: own?.[1] ?? provider,
    server: { address: hostname, ...(number !== undefined && { port: number }) },
  };
}
