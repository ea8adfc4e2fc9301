import { errorTypeOf } from "@suite/core/error-type";
import { otlpFailure } from "@suite/core/otlp";
import { causeType } from "../../attributes/errors.js";

/** The reason why nothing was taken, in our words; undefined where that is not known. Never a text of the server's. */
export function reasonOf(error: unknown): string | undefined {
  const status: unknown = Object(error).code;
  return otlpFailure(typeof status === "number" ? status : (causeType(error) ?? errorTypeOf(error)));
}
