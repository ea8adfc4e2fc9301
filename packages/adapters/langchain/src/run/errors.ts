import { MiddlewareError } from "langchain";

/** Errors that leave a hook of this package and are wrapped by LangChain immediately afterwards. */
const leaving = new WeakSet<object>();

/** Stores an error that leaves a hook of this package, and rethrows it. */
export async function leavingUnwrapped<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (typeof error === "object" && error !== null) leaving.add(error);
    throw error;
  }
}

/**
 * Returns the error that left a hook of this package, without LangChain's wrapper. Only the first call unwraps it: if a
 * user's middleware rethrows it, outer middlewares receive it wrapped, as they do without plugins.
 */
export function unwrapped(error: unknown): unknown {
  if (!MiddlewareError.isInstance(error)) return error;
  const { cause } = error;
  return typeof cause === "object" && cause !== null && leaving.delete(cause) ? cause : error;
}
