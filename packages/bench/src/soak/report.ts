import type { Books } from "./books.js";
import type { Check } from "./checks.js";
import type { Counts } from "./load.js";
import type { Outage } from "./outages.js";
import type { Sample } from "./samples.js";

/** The report of a soak: `soak.json` in its folder. */
export interface Report {
  /** The day, as ISO 8601 has it. */
  readonly measured: string;
  readonly minutes: number;
  readonly node: string;
  readonly cpus: number;
  /** The part of one core that this process has used. */
  readonly cpuShare: number;
  readonly counts: Counts;
  readonly failures: Readonly<Record<string, number>>;
  /** Requests to the model's server, and how many it has refused by each status. */
  readonly requests: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly modelCalls: Books["modelCalls"];
  readonly decisions: Readonly<Record<string, number>>;
  /** Pieces of audio, and lines of the log. */
  readonly audio: number;
  readonly lines: number;
  readonly outages: readonly Outage[];
  readonly warnings: readonly string[];
  readonly checks: readonly Check[];
  readonly samples: readonly Sample[];
}
