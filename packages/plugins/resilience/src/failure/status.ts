import { isObject } from "@suite/kit";
import { chainOf, errorAndBodies, type Fields, safely } from "./fields.js";

/**
 * The codes of gRPC in the order of their numbers, with the HTTP status of each by `google.rpc.Code`. Differences:
 * `ALREADY_EXISTS` is 400 instead of 409, and `UNIMPLEMENTED` 404 instead of 501, since the same request is refused again.
 * `UNKNOWN` and `DATA_LOSS` have no status, since another attempt is not known to help.
 */
const grpc: readonly (readonly [name: string, status: number | undefined])[] = [
  ["OK", undefined],
  ["CANCELLED", 499],
  ["UNKNOWN", undefined],
  ["INVALID_ARGUMENT", 400],
  ["DEADLINE_EXCEEDED", 504],
  ["NOT_FOUND", 404],
  ["ALREADY_EXISTS", 400],
  ["PERMISSION_DENIED", 403],
  ["RESOURCE_EXHAUSTED", 429],
  ["FAILED_PRECONDITION", 400],
  ["ABORTED", 409],
  ["OUT_OF_RANGE", 400],
  ["UNIMPLEMENTED", 404],
  ["INTERNAL", 500],
  ["UNAVAILABLE", 503],
  ["DATA_LOSS", undefined],
  ["UNAUTHENTICATED", 401],
];

const statusOfGrpcName: ReadonlyMap<string, number | undefined> = new Map(grpc);

/** Returns the HTTP status of an error or of the first of its causes that has one, or `undefined`. */
export const statusOf = safely((error): number | undefined => {
  for (const each of chainOf(error)) {
    const status = statusOfError(each);
    if (status !== undefined) return status;
  }
  return undefined;
}, undefined);

/** Returns the HTTP status of one error without its causes. One from 400 takes precedence: a stream that fails began with 200. */
export function statusOfError(error: Fields): number | undefined {
  let first: number | undefined;
  for (const fields of errorAndBodies(error)) {
    for (const status of statusesOf(fields)) {
      if (status !== undefined && status >= 400) return status;
      first ??= status;
    }
  }
  return first;
}

function* statusesOf(fields: Fields): Generator<number | undefined> {
  const { status, statusCode, response, $metadata, code } = fields;
  yield httpStatus(status) ?? grpcNameStatus(status);
  yield httpStatus(statusCode);
  if (isObject(response)) yield httpStatus(response.status);
  if (isObject($metadata)) yield httpStatus($metadata.httpStatusCode);
  if (!isDomException(fields)) yield httpStatus(code) ?? grpcNameStatus(code) ?? grpcNumberStatus(code);
}

/** Reads 502 and "502". */
function httpStatus(value: unknown): number | undefined {
  const status = typeof value === "string" && /^[1-5]\d\d$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= 100 && status <= 599 ? status : undefined;
}

/** Reads "UNAVAILABLE" of Google's JSON, and "unavailable" of Connect's. */
const grpcNameStatus = (value: unknown): number | undefined =>
  typeof value === "string" && value.length < 32 ? statusOfGrpcName.get(value.toUpperCase()) : undefined;

const grpcNumberStatus = (value: unknown): number | undefined =>
  typeof value === "number" ? grpc[value]?.[1] : undefined;

/** True for a DOMException of any realm. Its `code` is an error number of the DOM, not a status: 8 is NotFoundError. */
const isDomException = (fields: Fields): boolean => Object.prototype.toString.call(fields) === "[object DOMException]";
