type Fields = Readonly<Record<string, unknown>>;

/** HTTP statuses for a timeout of a server or proxy: 408, nginx's 499, 504, and Cloudflare's 522 and 524. */
const statuses: ReadonlySet<string> = new Set(["408", "499", "504", "522", "524"]);

/** Codes that do not contain the word "timeout": Node's, gRPC's and MCP's. */
const codes: ReadonlySet<unknown> = new Set(["ETIMEDOUT", "ESOCKETTIMEDOUT", "DEADLINE_EXCEEDED", -32001]);

/** gRPC's `DEADLINE_EXCEEDED` as a number. In an error of a command, the same number is an exit code. */
const grpcDeadline = 4;

/** The maximum number of errors that are read in a chain of causes. */
const mostErrors = 8;
const longestMessage = 500;

/**
 * True if an error reports a timeout or an abort. It is then unknown if the work was done, so an approval does not
 * cover another attempt. Reads the error and its causes: names, codes and statuses of common clients and runtimes, and
 * messages that contain "timeout" or "timed out".
 */
export function isTimeoutError(error: unknown): boolean {
  try {
    const queue: unknown[] = [error];
    for (let looked = 0; looked < mostErrors && queue.length > 0; looked++) {
      const each = queue.shift();
      if (typeof each !== "object" || each === null) continue;
      const fields = each as Fields;
      if (isTimeout(fields)) return true;
      queue.push(fields.cause, ...(Array.isArray(fields.errors) ? fields.errors.slice(0, mostErrors) : []));
    }
    return false;
  } catch {
    return true; // an unreadable error does not rule out that the work was done
  }
}

function isTimeout(error: Fields): boolean {
  const { name, code, message, status, statusCode, response, $metadata, timedOut, killed } = error;
  if (timedOut === true || killed === true || codes.has(code)) return true;
  if (code === grpcDeadline && !("cmd" in error)) return true;
  if (/timed?_?out|deadline|abort/i.test(`${name} ${code} ${status}`.slice(0, longestMessage))) return true;
  if (
    [status, statusCode, code, fieldOf(response, "status"), fieldOf($metadata, "httpStatusCode")].some((each) =>
      statuses.has(String(each)),
    )
  )
    return true;
  return (
    typeof message === "string" && /\btime(?:d)?[ -]?out\b|deadline exceeded/i.test(message.slice(0, longestMessage))
  );
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === "object" && value !== null ? (value as Fields)[field] : undefined;
