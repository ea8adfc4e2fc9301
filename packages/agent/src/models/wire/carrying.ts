import type { Carrier } from "@suite/core";

/** The options that a request is given beside its own. */
export interface Carrying {
  readonly headers?: Record<string, string>;
  readonly fetchOptions?: { readonly redirect: "manual" };
}

/** The status codes of redirects, by the Fetch standard. */
const redirects: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request with headers that are meant for its host alone. `fetch` would take them along wherever it is
 * redirected to: such a request is sent once more, without them.
 */
export async function carrying<T>(carrier: Carrier | undefined, send: (more: Carrying) => PromiseLike<T>): Promise<T> {
  if (carrier === undefined) return send({});
  try {
    return await send({ headers: { ...carrier }, fetchOptions: { redirect: "manual" } });
  } catch (error) {
    if (!isRedirect(error)) throw error;
    return send({});
  }
}

const isRedirect = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "status" in error && redirects.has(error.status);
