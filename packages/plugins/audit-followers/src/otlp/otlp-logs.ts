import { setTimeout as sleep } from "node:timers/promises";
import { type OptionChecks, string, strings } from "@suite/audit/internal";
import { time } from "@suite/kit/options";
import { AuditFollowersError } from "../errors.js";
import type { DeliveryContext, FollowedLine, FollowerBatch, FollowerTarget } from "../follow/target.js";
import { checkOptions } from "../options.js";
import { emitWarning } from "../warnings.js";
import { type Answer, readAnswer } from "./answer.js";
import { encodeLogs } from "./encode.js";
import { type Endpoint, endpointOf } from "./endpoint.js";

/** The options of `otlpLogs`. */
export interface OtlpLogsOptions {
  /**
   * The base address of a collector, such as `http://localhost:4318`, or its address for logs, which ends with
   * `/v1/logs`.
   */
  readonly url: string;
  /** The headers of each request. They are never printed. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Attributes of the resource. Default: `service.name` is `suite-audit`. */
  readonly resource?: Readonly<Record<string, string>>;
  /** Timeout of one request, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
}

const checks: OptionChecks<OtlpLogsOptions> = { url: string, headers: strings, resource: strings, timeoutMs: time };

/**
 * Sends each line as one log record by OTLP over HTTP, in JSON. The body is the stored line of a record. For a
 * checkpoint (event name `suite.audit.checkpoint`) it is the signed note, which is an anchor for `verify`. If a
 * collector redacts or cuts a body, the signature no longer matches it.
 *
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION`
 *
 * @example
 * ```ts
 * follow(".suite/audit", otlpLogs({ url: "https://collector.example:4318", headers: { authorization: token } }));
 * ```
 */
export function otlpLogs(options: OtlpLogsOptions): FollowerTarget {
  options = checkOptions("otlpLogs", options, checks, ["url"]);
  const { timeoutMs = 10_000 } = options;
  const endpoint = endpointOf(options.url, options.headers ?? {});
  if (endpoint.isOpen)
    emitWarning(`@suite/audit-followers: records are sent to ${endpoint.shown} without encryption. Use https:.`);
  return new OtlpLogs(endpoint, { "service.name": "suite-audit", ...options.resource }, timeoutMs);
}

class OtlpLogs implements FollowerTarget {
  readonly name: string;
  readonly #endpoint: Endpoint;
  readonly #resource: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  /** The time that a server requested. Nothing is sent before it. */
  #notBefore = 0;

  constructor(endpoint: Endpoint, resource: Readonly<Record<string, string>>, timeoutMs: number) {
    this.name = `otlp-${new URL(endpoint.url).host.replaceAll(/[^\w.]/g, "-")}`.slice(0, 100);
    this.#endpoint = endpoint;
    this.#resource = resource;
    this.#timeoutMs = timeoutMs;
  }

  deliver({ file, lines }: FollowerBatch, context: DeliveryContext): Promise<void> {
    return this.#send(file, lines, context);
  }

  async close(): Promise<void> {}

  async #send(file: string, lines: readonly FollowedLine[], context: DeliveryContext): Promise<void> {
    const wait = this.#notBefore - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal: context.signal, ref: false });
    const answer = await this.#post(encodeLogs(file, lines, this.#resource, Date.now()), context.signal);
    const { shown } = this.#endpoint;
    switch (answer.is) {
      case "taken":
        if (answer.rejected > 0) context.report(incomplete(shown, answer.rejected));
        return;
      case "later":
        this.#notBefore = performance.now() + (answer.after ?? 0);
        throw failed(shown, `it answered ${answer.status}`);
      case "too large": {
        if (lines.length === 1) throw refused(shown, 413);
        const half = lines.length >> 1;
        await this.#send(file, lines.slice(0, half), context);
        return this.#send(file, lines.slice(half), context);
      }
      case "refused":
        throw refused(shown, answer.status);
    }
  }

  async #post(body: string, closing: AbortSignal): Promise<Answer> {
    const { url, headers, shown } = this.#endpoint;
    const stop = new AbortController();
    const abort = (): void => stop.abort(closing.reason);
    const timer = setTimeout(() => stop.abort(new DOMException("", "TimeoutError")), this.#timeoutMs);
    closing.addEventListener("abort", abort);
    try {
      const response = await fetch(url, {
        method: "POST",
        // Last, so that no option overrides the content type.
        headers: { ...headers, "content-type": "application/json" },
        body,
        // Records are sent only to the configured address.
        redirect: "manual",
        signal: stop.signal,
      });
      return await readAnswer(response);
    } catch (cause) {
      throw failed(shown, reasonOf(cause), cause);
    } finally {
      clearTimeout(timer);
      closing.removeEventListener("abort", abort);
    }
  }
}

/** Returns the code or name of an error or of its cause. Messages may quote a header. */
function reasonOf(error: unknown): string {
  const { cause, name } = error as { cause?: NodeJS.ErrnoException & { errors?: unknown }; name?: string };
  // Each address of a host with several addresses was tried.
  const tried = Array.isArray(cause?.errors) ? (cause.errors as readonly NodeJS.ErrnoException[]) : [];
  const code = cause?.code ?? tried.find((each) => each.code !== undefined)?.code;
  if (code === undefined && cause?.message === "bad port") return "fetch does not allow that port";
  return code ?? name ?? "an error";
}

const failed = (shown: string, reason: string, cause?: unknown): AuditFollowersError =>
  new AuditFollowersError(
    "ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED",
    `${shown} did not accept a batch: ${reason}. It will be retried.`,
    {
      cause,
    },
  );

const refused = (shown: string, status: number): AuditFollowersError =>
  new AuditFollowersError(
    "ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED",
    `${shown} refuses a batch with status ${status}. Sending is paused until it accepts the batch; check its log, the address and the headers.`,
  );

const incomplete = (shown: string, rejected: number): AuditFollowersError =>
  new AuditFollowersError(
    "ERR_AUDIT_FOLLOWERS_DELIVERY_INCOMPLETE",
    `${shown} dropped ${rejected} log records of an accepted batch. They remain in the log's files.`,
  );
