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
  const href = input instanceof Request ? input.url : String(input);
  return URL.canParse(href) ? new URL(href) : undefined;
}

export const methodOf = (input: string | URL | Request, init: RequestInit = {}): string =>
  (init.method ?? (input instanceof Request ? input.method : "GET")).toUpperCase();

/** A request in parts, its body as text. */
export async function opened(
  input: string | URL | Request,
  init: RequestInit | undefined = {},
  url: URL,
): Promise<Target & { readonly body: string }> {
  if (!(input instanceof Request)) {
    const { body } = init;
    const text = typeof body === "string" ? body : await new Response(body ?? null).text();
    return { url, headers: ofAnyBody(new Headers(init.headers)), init, body: text };
  }
  const request = new Request(input, init);
  const { method, headers, signal, redirect, credentials, cache, mode, referrer } = request;
  const rest = { method, signal, redirect, credentials, cache, mode, referrer };
  return { url, headers: ofAnyBody(new Headers(headers)), init: { ...rest, ...init }, body: await request.text() };
}

function ofAnyBody(headers: Headers): Headers {
  headers.delete("content-length");
  return headers;
}
