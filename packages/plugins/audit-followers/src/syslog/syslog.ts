import { connect as connectTcp, isIP, type Socket } from "node:net";
import { hostname } from "node:os";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { type OptionChecks, object, string } from "@suite/audit/internal";
import { time } from "@suite/kit/options";
import { AuditFollowersError } from "../errors.js";
import type { DeliveryContext, FollowerBatch, FollowerTarget } from "../follow/target.js";
import { checkOptions } from "../options.js";
import { emitWarning } from "../warnings.js";
import { headerName, type MessageHead, messageOf } from "./message.js";

/** The options of `syslog`. */
export interface SyslogOptions {
  /** `tls://host:6514` (RFC 5425; default port 6514), or `tcp://host:601` (RFC 6587). */
  readonly url: string;
  /** The TLS settings: trusted certificates in place of the system's, and a client certificate and key. */
  readonly tls?: Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername">;
  /** The facility, 0 to 23. Default 13: log audit. */
  readonly facility?: number;
  /** APP-NAME of each message. Default `suite-audit`. */
  readonly appName?: string;
  /** Timeout of one batch, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
}

const checks: OptionChecks<SyslogOptions> = {
  url: string,
  tls: object,
  facility: (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 23 ? undefined : "a number from 0 to 23",
  appName: string,
  timeoutMs: time,
};

/**
 * Sends each line as one syslog message (RFC 5424), framed by its length in octets, over TLS or TCP. The message is the
 * stored line. A checkpoint (MSGID `checkpoint`) is also sent as its line, a JSON string. Syslog has no
 * acknowledgements, so that each batch uses a new connection. It is delivered when the receiver has read to its end and
 * closed it.
 *
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION`
 *
 * @example
 * ```ts
 * follow(".suite/audit", syslog({ url: "tls://logs.example.com:6514" }));
 * ```
 */
export function syslog(options: SyslogOptions): FollowerTarget {
  options = checkOptions("syslog", options, checks, ["url"]);
  const { facility = 13, appName = "suite-audit", timeoutMs = 10_000 } = options;
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  const isTls = url?.protocol === "tls:";
  if (!url || !(isTls || url.protocol === "tcp:") || url.hostname === "") {
    throw invalid("url", "tls://host:6514 or tcp://host:601");
  }
  const place = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || (isTls ? 6514 : 601)) };
  const shown = `${url.protocol}//${url.hostname}:${place.port}`;
  if (!isTls && !loopback.test(place.host)) {
    emitWarning(`@suite/audit-followers: records are sent to ${shown} without encryption. Use tls:.`);
  }
  const head = { facility, hostname: headerName(hostname(), 255), appName: headerName(appName, 48) };
  const dial = () =>
    isTls
      ? connectTls({ ...(isIP(place.host) === 0 && { servername: place.host }), ...options.tls, ...place })
      : connectTcp({ ...place, allowHalfOpen: true });
  return new Syslog(shown, head, timeoutMs, dial);
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

class Syslog implements FollowerTarget {
  readonly name: string;
  readonly #shown: string;
  readonly #head: MessageHead;
  readonly #timeoutMs: number;
  readonly #dial: () => Socket;

  constructor(shown: string, head: MessageHead, timeoutMs: number, dial: () => Socket) {
    this.name = `syslog-${shown.slice(shown.indexOf("//") + 2).replaceAll(/[^\w.]/g, "-")}`.slice(0, 100);
    this.#shown = shown;
    this.#head = head;
    this.#timeoutMs = timeoutMs;
    this.#dial = dial;
  }

  async deliver({ file, lines }: FollowerBatch, { signal }: DeliveryContext): Promise<void> {
    const bytes = Buffer.concat(lines.map((line) => messageOf(file, line, this.#head)));
    try {
      await this.#send(bytes, signal);
    } catch (cause) {
      signal.throwIfAborted();
      const { code, message } = cause as NodeJS.ErrnoException;
      const why = code ?? message;
      throw new AuditFollowersError(
        "ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED",
        `${this.#shown} did not accept a batch: ${why}. It will be retried.`,
        {
          cause,
        },
      );
    }
  }

  async close(): Promise<void> {}

  /** Resolves when the receiver closes its side after the end of this side. */
  #send(bytes: Buffer, signal: AbortSignal): Promise<void> {
    const socket = this.#dial();
    return new Promise<void>((resolve, reject) => {
      let ended = false;
      const give = (error: unknown): void => reject(error);
      const timer = setTimeout(() => give(new Error(`no answer within ${this.#timeoutMs} ms`)), this.#timeoutMs);
      const abort = (): void => give(signal.reason);
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
      socket
        .on("error", give)
        .on("end", () =>
          ended ? resolve() : give(new Error("it closed the connection before it received all records")),
        )
        .on("close", () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", abort);
          give(new Error("it closed the connection before it received all records"));
        })
        // The receiver's data is ignored, but its end is detected only if the data is read.
        .resume()
        .end(bytes, () => {
          ended = true;
        });
    }).finally(() => socket.destroy());
  }
}

const invalid = (option: string, what: string): AuditFollowersError =>
  new AuditFollowersError("ERR_AUDIT_FOLLOWERS_INVALID_OPTION", `syslog({ ${option} }) must be ${what}.`);
