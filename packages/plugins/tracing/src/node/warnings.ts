import type { Endpoint } from "./endpoint.js";

/** What a set-up says to people, each thing once. */
export class Warnings {
  readonly #said = new Set<string>();
  readonly #warn: (message: string) => void;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** @param about what counts as the same; the message by default. */
  once(message: string, about = message): void {
    if (this.#said.has(about)) return;
    this.#said.add(about);
    this.#warn(`@suite/tracing: ${message}`);
  }

  /** Spans come first: metrics that go to the same place add nothing. */
  unreachable(what: "spans" | "metrics", { shown }: Endpoint): void {
    if (this.#said.has("spans")) return;
    const hint = what === "metrics" ? " setupTracing({ metrics: false }) sends none." : "";
    this.once(
      `${what} could not be sent to ${shown}. They are lost until it answers; the program goes on.${hint}`,
      what,
    );
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
interface Exporter<Batch> {
  export(batch: Batch, done: (result: { code: number; error?: Error }) => void): void;
}

/**
 * Lets an exporter tell, once, that what it sends does not arrive: the SDK keeps it to itself unless a logger is set.
 * The program goes on either way.
 */
export function tellingFailure<Batch, E extends Exporter<Batch>>(exporter: E, tell: () => void): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.code !== 0) tell();
      done(result);
    });
  return exporter;
}
