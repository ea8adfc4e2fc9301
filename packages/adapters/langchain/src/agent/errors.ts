import { MiddlewareError } from "langchain";

/** What came out of a hook of this package. */
const ours = new WeakSet<object>();

/** Remembers an error that leaves a hook of this package, and gives it back. */
export function passing(error: unknown): unknown {
  if (typeof error === "object" && error !== null) ours.add(error);
  return error;
}

/** LangChain wraps what a middleware throws. What only passed one of ours is given back as it was without it. */
export function unwrapped(error: unknown): unknown {
  if (!MiddlewareError.isInstance(error)) return error;
  const { cause } = error;
  return typeof cause === "object" && cause !== null && ours.has(cause) ? cause : error;
}
