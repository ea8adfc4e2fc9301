import { userInfo } from "node:os";
import { ApprovalDesk, type Approvals } from "./approvals/desk.js";
import { isApprovals } from "./approvals/given.js";
import type { AuditLog } from "./audit/audit-log.js";
import { ViewerError } from "./errors.js";
import type { Span } from "./run/span.js";
import { listen } from "./server/listen.js";
import { pageServer } from "./server/page.js";
import { receiver } from "./server/receive.js";
import { SpanLog, spansOnDisk } from "./store/span-log.js";
import { SpanStore } from "./store/spans.js";
import { newToken, tokenIn } from "./store/token.js";

/** The options of `startViewer`. */
export interface ViewerOptions {
  /** The port of the page. Default 4319. 0 takes any free port. */
  readonly port?: number;
  /** The port for OTLP. Default 4318, the default of exporters. 0 takes any free port. */
  readonly otlpPort?: number;
  /**
   * True if any other port may replace one that is in use: for both ports, or for one of them. Default: false, which is
   * an error.
   */
  readonly anyPort?: boolean | "page" | "traces";
  /** The most spans in memory. The runs that changed longest ago are dropped first. Default 200,000. */
  readonly maxSpans?: number;
  /**
   * The most bytes of the spans that are kept: an estimate of their memory. Default 256 MiB. With the search index, the
   * process may take three times that.
   */
  readonly maxBytes?: number;
  /** A folder that keeps spans across restarts, within `maxBytes`. Default: none. */
  readonly data?: string;
  /**
   * The folder of a log of `@suite/audit`. The page shows each run's records, verified, and checks their proofs.
   * Default: none.
   */
  readonly audit?: string;
  /**
   * Public keys of that log from another source, one per line. Default: those in its folder, which make it
   * self-attested.
   */
  readonly auditKey?: string;
  /**
   * The result of `approvals({ store, keys })` of `@suite/approval`. Each person who has the page's address can decide
   * on waiting requests. Default: none, and nothing can be decided.
   */
  readonly approve?: Approvals;
  /** The name of the person who decides, for the record. Default: the name of the machine's user. */
  readonly approveAs?: string;
}

/** The number of files on disk, which share the bound. */
const FILES = 2;

/** A running viewer. */
export interface Viewer {
  /** The address of the page, with its token. Without the token no data is shown. */
  readonly url: string;
  /** The address for exporters: the value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Receives traces by OTLP over HTTP, and serves the page that shows them, on this machine only.
 *
 * @throws ViewerError `ERR_VIEWER_OPTION`, or `ERR_VIEWER_PORT` if another program has a port
 * @example
 * ```ts
 * const viewer = await startViewer();
 * console.log(viewer.url);
 * ```
 */
export async function startViewer({
  port = 4319,
  otlpPort = 4318,
  anyPort = false,
  maxSpans = 200_000,
  maxBytes = 256 * 1024 * 1024,
  data,
  audit,
  auditKey,
  approve,
  approveAs = userInfo().username,
}: ViewerOptions = {}): Promise<Viewer> {
  checkPort("port", port);
  checkPort("otlpPort", otlpPort);
  if (!Number.isSafeInteger(maxSpans) || maxSpans < 1)
    throw new ViewerError("ERR_VIEWER_OPTION", "maxSpans must be an integer of at least 1.");
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1)
    throw new ViewerError("ERR_VIEWER_OPTION", "maxBytes must be an integer of at least 1.");
  if (approve !== undefined && !isApprovals(approve))
    throw new ViewerError(
      "ERR_VIEWER_OPTION",
      "approve must be the result of approvals({ store, keys }) of @suite/approval.",
    );
  const approvals = approve && new ApprovalDesk(approve, approveAs);
  const store = new SpanStore({ spans: maxSpans, bytes: maxBytes });
  const take = async (spans: readonly Span[], bytes: number): Promise<void> => {
    store.add(spans, bytes);
    await approvals?.see(spans);
  };
  const log = data === undefined ? undefined : await readAndOpen(data, take, maxBytes / FILES);
  const keep = async (spans: readonly Span[], bytes: number): Promise<void> => {
    await Promise.all([take(spans, bytes), log?.append(spans)]);
  };
  const receiving = await listen(
    { port: otlpPort, what: "traces", orAny: anyPort === true || anyPort === "traces" },
    receiver(keep),
  ).catch(async (error: unknown) => {
    await log?.close();
    throw error;
  });
  const endpoint = `http://127.0.0.1:${receiving.port}`;
  try {
    // With approvals, an address that was copied from an earlier viewer must not let its reader decide.
    const token = data === undefined || approvals !== undefined ? newToken() : await tokenIn(data);
    const sources = {
      store,
      approvals,
      endpoint,
      audit: audit === undefined ? undefined : await openAudit(audit, auditKey),
    };
    const serving = await listen(
      { port, what: "the page", orAny: anyPort === true || anyPort === "page" },
      pageServer(sources, token),
    );
    return {
      url: `http://127.0.0.1:${serving.port}/?token=${token}`,
      endpoint,
      async close() {
        store.close();
        await Promise.all([receiving.close(), serving.close()]);
        await log?.close();
      },
    };
  } catch (error) {
    await receiving.close();
    await log?.close();
    throw error;
  }
}

/** Opens the audit log. Its modules are loaded only if there is one. */
async function openAudit(folder: string, key: string | undefined): Promise<AuditLog> {
  const { AuditLog } = await import("./audit/audit-log.js");
  return new AuditLog(folder, key);
}

type Take = (spans: readonly Span[], bytes: number) => Promise<void>;

/** Reads the spans of an earlier process from a folder, and opens it for more. */
async function readAndOpen(folder: string, take: Take, most: number): Promise<SpanLog> {
  const log = await SpanLog.open(folder, most);
  for await (const { spans, bytes } of spansOnDisk(folder)) await take(spans, bytes);
  return log;
}

function checkPort(name: string, port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  throw new ViewerError("ERR_VIEWER_OPTION", `${name} must be an integer from 0 to 65535.`);
}
