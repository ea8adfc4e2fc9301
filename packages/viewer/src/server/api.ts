import type { ServerResponse } from "node:http";
import type { ApprovalDesk } from "../approvals/desk.js";
import type { AuditLog } from "../audit/audit-log.js";
import { seriesOf } from "../run/series.js";
import type { SpanStore } from "../store/spans.js";

/** The data sources of the page: spans, and optionally the audit log and the approvals. */
export interface Sources {
  readonly store: SpanStore;
  readonly audit: AuditLog | undefined;
  readonly approvals: ApprovalDesk | undefined;
  /** The address that receives traces. */
  readonly endpoint: string;
}

/** The most runs in a list. */
const MOST_RUNS = 500;
/** The delay in milliseconds before the page is notified of changes. */
const GATHER_MS = 100;

/** Returns the answer to a request of the page, as JSON. Returns `undefined` if the resource does not exist. */
export async function answer(
  { store, audit, approvals }: Sources,
  { pathname, searchParams }: URL,
): Promise<object | undefined> {
  const [what = "", id = ""] = pathname.slice("/api/".length).split("/");
  switch (what) {
    case "runs": {
      if (id === "") return runsFor(store, searchParams.get("q") ?? "");
      const spans = store.spans(id);
      return spans && { spans };
    }
    case "sessions": {
      const spans = store.session(searchParams.get("id") ?? "");
      return spans && { spans };
    }
    case "plots": {
      const minutes = Number(searchParams.get("minutes") ?? "");
      return seriesOf(store.metrics(minutes > 0 ? Date.now() - minutes * 60_000 : 0));
    }
    case "approvals":
      return approvals?.waiting();
    case "audit": {
      const spans = store.spans(id);
      return spans && audit?.recordsOf(spans);
    }
    case "proof": {
      const index = Number(searchParams.get("index"));
      return Number.isSafeInteger(index) ? audit?.proofOf(searchParams.get("file") ?? "", index) : undefined;
    }
    default:
      return undefined;
  }
}

const runsFor = (store: SpanStore, query: string): object => ({
  runs: query.trim() === "" ? store.runs(MOST_RUNS) : store.search(query.slice(0, 1000), MOST_RUNS),
  size: store.size,
});

/**
 * Sends runs as they change, one line of JSON each time, until the reader leaves. The first line contains all runs, and
 * so does a line after old runs were dropped.
 */
export function live(store: SpanStore, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  let sentChanges = 0;
  let dropped = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (): void => {
    timer = undefined;
    if (response.writableNeedDrain) return; // a slow reader receives all changes at once, later
    const { size, changes } = store;
    const whole = sentChanges === 0 || size.dropped !== dropped;
    const runs = store.runs(MOST_RUNS, whole ? 0 : sentChanges);
    [sentChanges, dropped] = [changes, size.dropped];
    response.write(`${JSON.stringify({ runs, size, whole, most: MOST_RUNS })}\n`);
  };
  const changed = (): void => {
    timer ??= setTimeout(() => {
      try {
        send();
      } catch {
        // A timer has no caller that could catch the error. The page connects again.
        response.destroy();
      }
    }, GATHER_MS);
  };
  response.on("drain", changed);
  const stop = store.onChange(changed);
  response.once("close", () => {
    stop();
    clearTimeout(timer);
  });
  send();
}
