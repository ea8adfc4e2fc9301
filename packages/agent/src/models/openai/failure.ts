import { isJson, jsonOf, objectsOf, stringOf } from "@suite/wire";
import OpenAI from "openai";

type APIError = InstanceType<typeof OpenAI.APIError>;

/**
 * Returns the error that an answer with status 200, or a chunk, contains: OpenRouter and vLLM report failures this way.
 * Returns `undefined` if it is absent.
 */
export function failureIn(answer: unknown): APIError | undefined {
  const { error, choices, object } = jsonOf(answer);
  if (object === "error") return failureOf(answer);
  const reported = error ?? objectsOf(choices)[0]?.error;
  return reported === undefined || reported === null || reported === false ? undefined : failureOf(reported);
}

/**
 * Creates the SDK's error for an `error` object of the provider, with its message and code. A code that is an HTTP
 * status becomes the `status`, so that a 502 inside an answer is handled like one of the response.
 */
export function failureOf(reported: unknown): APIError {
  const error = isJson(reported) ? reported : { message: stringOf(reported) };
  const message = stringOf(error.message) || "The provider reported an error without a message.";
  const status = statusOf(error.code) ?? statusOf(error.status);
  return status === undefined
    ? new OpenAI.APIError(undefined, error, message, undefined)
    : OpenAI.APIError.generate(status, { error }, message, new Headers());
}

/** Returns an error that a stream threw, with a `status` if the SDK found only a code. */
export function withStatus(error: unknown): unknown {
  const { status, error: inner } = jsonOf(error);
  if (status !== undefined || !isJson(inner)) return error;
  return statusOf(inner.code) === undefined && statusOf(inner.status) === undefined ? error : failureOf(inner);
}

function statusOf(code: unknown): number | undefined {
  const number = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof number === "number" && Number.isInteger(number) && number >= 400 && number < 600 ? number : undefined;
}
