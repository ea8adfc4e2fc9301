import { shortBodyOf } from "../short-body.js";

/** A collector's response to a request. */
export type Answer =
  | { readonly is: "taken"; readonly rejected: number }
  /** May be accepted later. `after` is the time that the server requested, in milliseconds from now. */
  | { readonly is: "later"; readonly status: number; readonly after?: number }
  | { readonly is: "too large" }
  | { readonly is: "refused"; readonly status: number };

/** Maximum wait that a server may request, in milliseconds. */
const MAX_AFTER_MS = 3_600_000;

export async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  if (response.ok) return { is: "taken", rejected: rejectedIn(await shortBodyOf(response)) };
  // The body is not read: it may quote the request.
  await response.body?.cancel();
  if (status === 413) return { is: "too large" };
  if (status !== 408 && status !== 429 && status < 500) return { is: "refused", status };
  const after = retryAfter(response.headers.get("retry-after"));
  return { is: "later", status, ...(after !== undefined && { after }) };
}

/** Parses seconds or a date (RFC 9110, 10.2.3). Returns milliseconds from now. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return milliseconds > 0 ? Math.min(milliseconds, MAX_AFTER_MS) : undefined;
}

/** Returns the number of log records that a partial success rejects. The specification forbids sending them again. */
function rejectedIn(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: { rejectedLogRecords?: unknown } };
    const rejected = Number(partialSuccess?.rejectedLogRecords ?? 0);
    return Math.max(rejected, 0) || 0;
  } catch {
    return 0;
  }
}
