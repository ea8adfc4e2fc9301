import type { Endpoint, Signal } from "./export/endpoint.js";
import { reasonOf } from "./export/failure.js";

/** The name of a signal's items. */
const SENT = { traces: "spans", metrics: "metrics", logs: "log records" } as const;

/** The warnings of a set-up. Each is emitted once. */
export class Warnings {
  readonly #warned = new Set<string>();
  /** Hosts that do not accept spans. */
  readonly #silent = new Set<string>();
  /** Signals with a current outage, from the first warning until a batch is accepted. One outage is one warning. */
  readonly #outages = new Set<Signal>();
  readonly #warn: (message: string) => void;
  #lost = 0;
  /** The reason why spans were lost, if it was known only after the outage's warning. */
  #why: string | undefined;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** @param about the key of the warning; the message by default */
  once(message: string, about = message): void {
    if (this.#warned.has(about)) return;
    this.#warned.add(about);
    this.#warn(`@suite/tracing: ${message}`);
  }

  /** Warns that a signal could not be sent. A host that does not accept spans is reported only once, for the spans. */
  unreachable(signal: Signal, { shown }: Endpoint, error?: unknown): void {
    const host = new URL(shown).origin;
    if (signal === "traces") this.#silent.add(host);
    else if (this.#silent.has(host)) return;
    const hint = signal === "traces" ? "" : ` setupTracing({ ${signal}: false }) sends none.`;
    const reason = reasonOf(error);
    const why = `could not be sent to ${shown}${reason === undefined ? "" : `: ${reason}`}`;
    if (this.#begins(signal)) {
      this.once(`${SENT[signal]} ${why}. They are lost until it answers; the program continues.${hint}`, signal);
    } else if (signal === "traces" && !this.#warned.has(signal)) this.#why = why;
  }

  /** Ends an outage: a batch of this signal was accepted. */
  arrived(signal: Signal): void {
    this.#outages.delete(signal);
  }

  /** Counts a span that ended while too many were waiting. */
  dropped(): void {
    this.#lost++;
    if (!this.#begins("traces")) return;
    this.once(
      "spans are dropped: they end faster than they can be sent, and the queue is full (64 MB, or OTEL_BSP_MAX_QUEUE_SIZE). The program continues.",
      "dropped",
    );
  }

  /** Warns that a log record was emitted while too many were waiting. */
  logsDropped(): void {
    if (!this.#begins("logs")) return;
    this.once(
      "log records are dropped: they are created faster than they can be sent, and the queue is full (64 MB, or OTEL_BLRP_MAX_QUEUE_SIZE). The program continues.",
      "logs dropped",
    );
  }

  /** Reports that a number of items in a batch was refused. */
  refused(signal: Signal, { shown }: Endpoint, refused: number): void {
    if (signal === "traces") this.#lost += refused;
    this.once(
      `${shown} accepted part of a request and rejected ${refused} ${SENT[signal]}: they are too large, or break one of its rules. See its log; OTEL_LOG_LEVEL=warn shows its response.`,
      `refused ${signal}`,
    );
  }

  /** Counts spans that were not accepted. */
  failed(spans: number): void {
    this.#lost += spans;
  }

  /** Warns about the number of lost spans when the program ends. */
  lostInAll(): void {
    if (this.#lost === 0) return;
    const why = this.#why === undefined ? "" : ` They ${this.#why}.`;
    this.once(`total spans lost: ${this.#lost}.${why}`, "in all");
  }

  inTheClear({ shown, inTheClear }: Endpoint): void {
    if (!inTheClear) return;
    this.once(
      `telemetry is sent to ${shown} over plain HTTP and can be read on the network. Use https, or a collector on this machine.`,
      "in the clear",
    );
  }

  /** Returns true if this loss is the first of its outage. */
  #begins(signal: Signal): boolean {
    if (this.#outages.has(signal)) return false;
    this.#outages.add(signal);
    return true;
  }
}
