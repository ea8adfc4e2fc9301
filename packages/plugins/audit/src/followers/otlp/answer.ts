import { shortBodyOf } from "../../short-body.js";

/** A collector's answer to a request. */
export type Answer =
  | { readonly is: "taken"; readonly rejected: number }
  /** May be taken later; `after` is when, where it said so, in milliseconds from now. */
  | { readonly is: "later"; readonly status: number; readonly after?: number }
  | { readonly is: "too large" }
  | { readonly is: "refused"; readonly status: number };

/** The longest wait that a server may ask for, in milliseconds. */
const MAX_AFTER_MS = 3_600_000;

export async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  if (response.ok) return { is: "taken", rejected: rejectedIn(await shortBodyOf(response)) };
  // Not read: it may quote what was sent.
  await response.body?.cancel();
  if (status === 413) return { is: "too large" };
  if (status !== 408 && status !== 429 && status < 500) return { is: "refused", status };
  const after = retryAfter(response.headers.get("retry-after"));
  return { is: "later", status, ...(after !== undefined && { after }) };
}

/** Seconds, or a date (RFC 9110, 10.2.3), in milliseconds from now. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return milliseconds > 0 ? Math.min(milliseconds, MAX_AFTER_MS) : undefined;
}

/** The number of log records that a partial success leaves out. The specification forbids to send them again. */
function rejectedIn(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: { rejectedLogRecords?: unknown } };
    const rejected = Number(partialSuccess?.rejectedLogRecords ?? 0);
    return Math.max(rejected, 0) || 0;
  } catch {
    return 0;
  }
}
