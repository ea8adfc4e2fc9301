import { setTimeout } from "node:timers/promises";
import type { Random } from "../random.js";
import type { Program } from "./programs.js";

/** One period of downtime of a program. */
export interface Outage {
  readonly what: "Redis" | "Collector";
  /** Seconds since the soak began. */
  readonly from: number;
  readonly to: number;
}

/** Kills Redis and the Collector in turn, and starts them again after a while. */
export class Outages {
  readonly list: Outage[] = [];
  readonly #programs: readonly (readonly [Outage["what"], Program, longest: number])[];
  readonly #random: Random;
  readonly #every: number;
  readonly #start = performance.now();
  readonly #end = new AbortController();

  /** @param every milliseconds from the end of one outage to the next. */
  constructor(redis: Program, collector: Program, every: number, random: Random) {
    // If a Collector is down for longer than an exporter retries, spans are lost, and the loss is reported.
    this.#programs = [
      ["Redis", redis, 3000],
      ["Collector", collector, 20_000],
    ];
    this.#random = random;
    this.#every = every;
  }

  async work(): Promise<void> {
    const seconds = (): number => Math.round((performance.now() - this.#start) / 100) / 10;
    for (let turn = 0; ; turn++) {
      await this.#sleep(this.#every);
      if (this.#end.signal.aborted) return;
      const next = this.#programs[turn % this.#programs.length];
      if (next === undefined) return;
      const [what, program, longest] = next;
      const from = seconds();
      await program.kill();
      await this.#sleep(200 + this.#random(Math.min(longest, this.#every / 2)));
      await program.start();
      this.list.push({ what, from, to: seconds() });
    }
  }

  end(): void {
    this.#end.abort();
  }

  /** Waits, and no longer than to the end of the soak. */
  async #sleep(milliseconds: number): Promise<void> {
    await setTimeout(milliseconds, undefined, { signal: this.#end.signal }).catch(() => {});
  }
}
