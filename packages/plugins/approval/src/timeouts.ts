import { isObject } from "./rules.js";

/** The depth to which the causes of an error are followed. */
const depth = 5;

/** HTTP statuses by which a server, or a proxy before it, reports that the time was up: the work may still be done. */
const statuses: ReadonlySet<unknown> = new Set([408, 499, 504, 524, "408", "499", "504", "524"]);

/** gRPC: DEADLINE_EXCEEDED. */
const deadlineExceeded = 4;

/**
 * Returns true if an error reports that the time was up, or that the call was aborted: the tool may have done its work.
 * Errors that cannot be read count as such.
 */
export function isTimeout(error: unknown): boolean {
  try {
    let at = error;
    for (let each = 0; each < depth && isObject(at); each++) {
      if (reportsTimeout(at)) return true;
      at = at.cause;
    }
    return false;
  } catch {
    return true;
  }
}

function reportsTimeout({
  name,
  code,
  status,
  statusCode,
  response,
  $metadata,
}: Readonly<Record<string, unknown>>): boolean {
  const nested = [
    isObject(response) ? response.status : undefined,
    isObject($metadata) ? $metadata.httpStatusCode : undefined,
  ];
  if ([status, statusCode, code, ...nested].some((value) => statuses.has(value))) return true;
  if (code === deadlineExceeded) return true;
  return [name, code, status].some(
    (value) => typeof value === "string" && /time_?out|timed_?out|deadline|abort/i.test(value.slice(0, 100)),
  );
}
