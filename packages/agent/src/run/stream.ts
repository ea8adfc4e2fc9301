import type { Delta, Message, Suspended } from "@suite/core";
import type { AgentResult } from "../result.js";
import type { RunTotals } from "../totals/totals.js";
import { StreamReader, textPieces } from "./reader.js";
import type { AgentRun } from "./run.js";

/**
 * A run as it streams. It has one reader; `result` reads what nobody has read, also on behalf of a reader that pauses, for
 * whom it keeps what comes. A reader who stops ends the run: what is
 * still at work in it is told to stop, through its signal.
 */
export class AgentStream<Output = unknown> implements AsyncIterable<Delta, Suspended | undefined> {
  readonly #start: () => Promise<AgentRun>;
  #run: Promise<AgentRun> | undefined;
  #known: AgentRun | undefined;
  #result: Promise<AgentResult<Output>> | undefined;
  #reading: StreamReader | undefined;

  /** Use `agent.stream`. */
  constructor(start: () => Promise<AgentRun>) {
    this.#start = start;
  }

  /** How the run ended. Rejects with the error of a run that failed, or the reason of one that was aborted or closed. */
  get result(): Promise<AgentResult<Output>> {
    this.#result ??= this.#begun().then(async (run) => {
      await this.#reading?.drain();
      return run.result() as Promise<AgentResult<Output>>;
    });
    return this.#result;
  }

  /** The history so far, with an answer to every tool call: for those who go on after an abort or an error. */
  get messages(): readonly Message[] {
    return this.#known?.messages ?? [];
  }

  /** What the run has used and done so far: what there is to tell of one that failed. Undefined before it began. */
  get totals(): RunTotals | undefined {
    return this.#known?.totals;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Delta, Suspended | undefined> {
    return this.#reader();
  }

  /** The text alone, piece by piece. */
  text(): AsyncIterableIterator<string, undefined> {
    return textPieces(this.#reader());
  }

  #reader(): StreamReader {
    return new StreamReader(
      () => this.#begun(),
      () => this.result.catch(() => {}), // told to whoever asks for the result
      (reader) => {
        this.#reading = reader;
      },
      // A reader that there is goes on. Without one the run has ended, and tells how.
      (error) => (this.#reading === undefined ? this.result : Promise.reject(error)),
    );
  }

  #begun(): Promise<AgentRun> {
    this.#run ??= this.#start().then((run) => {
      this.#known = run;
      return run;
    });
    return this.#run;
  }
}
