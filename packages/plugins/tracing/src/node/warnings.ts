import type { Endpoint, Signal } from "./endpoint.js";
import { reasonOf } from "./failure.js";

/** What people call what a signal is made of. */
const SENT = { traces: "spans", metrics: "metrics", logs: "log records" } as const;

/** What a set-up says to people, each thing once. */
export class Warnings {
  readonly #said = new Set<string>();
  /** Hosts that take no spans. */
  readonly #silent = new Set<string>();
  readonly #warn: (message: string) => void;
  #lost = 0;

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
    this.once(
      `${SENT[signal]} could not be sent to ${shown}${reason === undefined ? "" : `: ${reason}`}. They are lost until it answers; the program goes on.${hint}`,
      signal,
    );
  }

  /** A span ended while too many were waiting. */
  dropped(): void {
    this.#lost++;
    this.once(
      "spans are dropped: they end faster than they can be sent, and no more are kept waiting (64 MB, or OTEL_BSP_MAX_QUEUE_SIZE). The program goes on.",
      "dropped",
    );
  }

  /** A log record was emitted while too many were waiting. */
  logsDropped(): void {
    this.once(
      "log records are dropped: they come faster than they can be sent, and no more are kept waiting (64 MB, or OTEL_BLRP_MAX_QUEUE_SIZE). The program goes on.",
      "logs dropped",
    );
  }

  /** Spans that nobody took. */
  failed(spans: number): void {
    this.#lost += spans;
  }

  /** When the program ends: how many nobody will see. */
  lostInAll(): void {
    if (this.#lost > 0) this.once(`spans lost in all: ${this.#lost}.`, "in all");
  }

  inTheClear({ shown, inTheClear }: Endpoint): void {
    if (!inTheClear) return;
    this.once(
      `what is recorded goes to ${shown} over plain HTTP, where others on the way can read it. Use https, or a collector on this machine.`,
      "in the clear",
    );
  }
}

/** The part that exporters of all signals have in common. */
export interface Exporter<Batch> {
  export(batch: Batch, done: (result: { code: number; error?: Error }) => void): void;
}

/**
 * Lets an exporter tell, once, that what it sends does not arrive: the SDK keeps it to itself unless a logger is set.
 * The program goes on either way.
 */
export function tellingFailure<Batch, E extends Exporter<Batch>>(exporter: E, tell: (error: unknown) => void): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.code !== 0) tell(result.error);
      done(result);
    });
  return exporter;
}
