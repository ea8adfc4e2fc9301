import { MiddlewareError } from "langchain";

/** Errors that are leaving a hook of this package, to be wrapped by LangChain at once. */
const leaving = new WeakSet<object>();

/** Lets an error leave a hook of this package, remembered. */
export async function leavingUnwrapped<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (typeof error === "object" && error !== null) leaving.add(error);
    throw error;
  }
}

/**
 * The error that left a hook of this package, without what LangChain wrapped it in there. Only the first to ask has it so:
 * what a middleware of the user throws on is wrapped for those further out, as it is without plugins.
 */
export function unwrapped(error: unknown): unknown {
  if (!MiddlewareError.isInstance(error)) return error;
  const { cause } = error;
  return typeof cause === "object" && cause !== null && leaving.delete(cause) ? cause : error;
}
