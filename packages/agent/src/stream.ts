import type { Delta, Message, Suspended } from "@suite/core";
import type { AgentResult } from "./result.js";
import type { AgentRun } from "./run.js";

/** A run as it streams. It has one reader; `result` reads what nobody has read. Stopping to read closes the run. */
export class AgentStream implements AsyncIterable<Delta, Suspended | undefined> {
  readonly #start: () => Promise<AgentRun>;
  #run: Promise<AgentRun> | undefined;
  #known: AgentRun | undefined;
  #result: Promise<AgentResult> | undefined;

  /** Use `agent.stream`. */
  constructor(start: () => Promise<AgentRun>) {
    this.#start = start;
  }

  /** How the run ended. Rejects with the error of a run that failed, or the reason of one that was aborted or closed. */
  get result(): Promise<AgentResult> {
    this.#result ??= this.#begun().then((run) => run.result());
    return this.#result;
  }

  /** The history so far, with an answer to every tool call: for those who go on after an abort or an error. */
  get messages(): readonly Message[] {
    return this.#known?.messages ?? [];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Delta, Suspended | undefined> {
    const run = await this.#begun();
    try {
      return yield* run.outcome;
    } finally {
      await this.result.catch(() => {}); // told to whoever asks for the result
    }
  }

  /** The text alone, piece by piece. */
  async *text(): AsyncGenerator<string, void> {
    for await (const delta of this) if (delta.type === "part" && delta.part.type === "text") yield delta.part.content;
  }

  #begun(): Promise<AgentRun> {
    this.#run ??= this.#start().then((run) => {
      this.#known = run;
      return run;
    });
    return this.#run;
  }
}
