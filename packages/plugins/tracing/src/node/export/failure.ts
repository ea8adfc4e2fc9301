import { errorTypeOf } from "@suite/core/error-type";
import { otlpFailure } from "@suite/core/otlp";
import { causeType } from "../../attributes/errors.js";

/**
 * Returns the reason why a batch was not accepted, in fixed words. Returns `undefined` if it is unknown. Never contains
 * text from the server.
 */
export function reasonOf(error: unknown): string | undefined {
  const status: unknown = Object(error).code;
  return otlpFailure(typeof status === "number" ? status : (causeType(error) ?? errorTypeOf(error)));
}
