import type { Endpoint, Signal } from "./export/endpoint.js";
import { reasonOf } from "./export/failure.js";

/** The word for what a signal is made of. */
const SENT = { traces: "spans", metrics: "metrics", logs: "log records" } as const;

/** The warnings of a set-up, each given once. */
export class Warnings {
  readonly #said = new Set<string>();
  /** Hosts that take no spans. */
  readonly #silent = new Set<string>();
  /** Signals that are being lost, from the first warning of it until something arrives: one outage is one warning. */
  readonly #outages = new Set<Signal>();
  readonly #warn: (message: string) => void;
  #lost = 0;
  /** The reason why spans were lost, where it was known only after the outage's warning. */
  #why: string | undefined;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** @param about what counts as the same; the message by default. */
  once(message: string, about = message): void {
    if (this.#said.has(about)) return;
    this.#said.add(about);
    this.#warn(`@suite/tracing: ${message}`);
  }

  /** Spans come first: what else goes to the same place adds nothing. */
  unreachable(signal: Signal, { shown }: Endpoint, error?: unknown): void {
    const host = new URL(shown).origin;
    if (signal === "traces") this.#silent.add(host);
    else if (this.#silent.has(host)) return;
    const hint = signal === "traces" ? "" : ` setupTracing({ ${signal}: false }) sends none.`;
    const reason = reasonOf(error);
    const why = `could not be sent to ${shown}${reason === undefined ? "" : `: ${reason}`}`;
    if (this.#begins(signal)) {
      this.once(`${SENT[signal]} ${why}. They are lost until it answers; the program goes on.${hint}`, signal);
    } else if (signal === "traces" && !this.#said.has(signal)) this.#why = why;
  }

  /** Ends an outage: something of this signal was taken. */
  arrived(signal: Signal): void {
    this.#outages.delete(signal);
  }

  /** A span ended while too many were waiting. */
  dropped(): void {
    this.#lost++;
    if (!this.#begins("traces")) return;
    this.once(
      "spans are dropped: they end faster than they can be sent, and no more are kept waiting (64 MB, or OTEL_BSP_MAX_QUEUE_SIZE). The program goes on.",
      "dropped",
    );
  }

  /** A log record was emitted while too many were waiting. */
  logsDropped(): void {
    if (!this.#begins("logs")) return;
    this.once(
      "log records are dropped: they come faster than they can be sent, and no more are kept waiting (64 MB, or OTEL_BLRP_MAX_QUEUE_SIZE). The program goes on.",
      "logs dropped",
    );
  }

  /** Some of what was sent was taken, and so many were not. */
  refused(signal: Signal, { shown }: Endpoint, refused: number): void {
    if (signal === "traces") this.#lost += refused;
    this.once(
      `${shown} took a part of what it was sent, and refused ${refused} ${SENT[signal]}: too large, or against a rule of it. Its log says why, and OTEL_LOG_LEVEL=warn shows what it answered.`,
      `refused ${signal}`,
    );
  }

  /** Spans that nobody took. */
  failed(spans: number): void {
    this.#lost += spans;
  }

  /** Warns, when the program ends, how many nobody will see. */
  lostInAll(): void {
    if (this.#lost === 0) return;
    const why = this.#why === undefined ? "" : ` They ${this.#why}.`;
    this.once(`spans lost in all: ${this.#lost}.${why}`, "in all");
  }

  inTheClear({ shown, inTheClear }: Endpoint): void {
    if (!inTheClear) return;
    this.once(
      `what is recorded goes to ${shown} over plain HTTP, where others on the way can read it. Use https, or a collector on this machine.`,
      "in the clear",
    );
  }

  /** Whether this loss is the first of its outage. */
  #begins(signal: Signal): boolean {
    if (this.#outages.has(signal)) return false;
    this.#outages.add(signal);
    return true;
  }
}
