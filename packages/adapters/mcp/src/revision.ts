import { isRecord } from "@suite/kit";
import { type JSONRPCRequest, type Params, versionOf } from "./protocol.js";

// The differences of the protocol of 2026-07-28 (version 2 of the SDK): a server asks for input in its result, and each
// result names its type.

/** A result that asks the client for input. The client repeats its request with the answers. */
export interface InputRequired extends Params {
  readonly resultType: "input_required";
}

export const isInputRequired = (result: unknown): result is InputRequired =>
  isRecord(result) && result.resultType === "input_required";

/** Returns the requests or the answers of a field, by the server's names for them. */
export const entriesOf = (field: unknown): readonly (readonly [string, Params])[] =>
  isRecord(field)
    ? Object.entries(field).flatMap(([key, value]) => (isRecord(value) ? [[key, value] as const] : []))
    : [];

/**
 * Adds the fields to a layer's result that the SDK requires in this revision: the type, and for a resource how long the
 * client may keep it. Results of earlier revisions are returned unchanged, and so are those of a side that sent no type:
 * the SDK must refuse them.
 *
 * @param before the result of the other side or of the handler, or `undefined` if a layer answered in its place.
 */
export function complete({ method, params = {} }: JSONRPCRequest, result: unknown, before?: unknown): unknown {
  if (versionOf(params) === undefined || !isRecord(result) || result.resultType !== undefined) return result;
  if (isRecord(before) && before.resultType === undefined) return result;
  return {
    ...(method === "resources/read" && { ttlMs: 0, cacheScope: "private" }),
    ...result,
    resultType: "complete",
  };
}
