import { canonicalWriter } from "@suite/kit";
import { AuditError } from "../errors.js";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * Returns the canonical JSON of a value (RFC 8785): no white space, object keys sorted by UTF-16 code units, numbers
 * and strings in the format of ECMAScript.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_RECORD` for values outside JSON: NaN, Infinity, undefined, a bigint, a
 * function, a Date, a lone surrogate, a cycle. Nothing is silently omitted or turned into null.
 *
 * @example
 * ```ts
 * canonicalJson({ b: 1e21, a: "é" }); // {"a":"é","b":1e+21}
 * ```
 */
export const canonicalJson: (value: unknown) => string = canonicalWriter({ maxDepth: 128, refuse });

/** Creates the error. It contains only the depth, since keys and values may be personal data. */
function refuse(what: string, depth: number): AuditError {
  return new AuditError(
    "ERR_AUDIT_INVALID_RECORD",
    `A record must be JSON data: ${what} was found at depth ${depth}, which JSON cannot represent. Remove it, or convert it to a string.`,
  );
}
