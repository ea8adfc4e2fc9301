import { errorTypeOf } from "@suite/kit/errors";
import { otlpFailure } from "@suite/kit/otlp";
import { causeType } from "../../attributes/errors.js";

/**
 * Returns the reason why a batch was not accepted, in fixed words. Returns `undefined` if it is unknown. Never contains
 * text from the server.
 */
export function reasonOf(error: unknown): string | undefined {
  const status: unknown = Object(error).code;
  return otlpFailure(typeof status === "number" ? status : (causeType(error) ?? errorTypeOf(error)));
}
