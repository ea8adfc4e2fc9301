import { Clock } from "@suite/kit/time";
import { AgentError } from "../errors.js";

/** The time limit of one execution of a tool. Waiting for a person does not count. */
export class TimeLimit {
  readonly #clock: Clock;
  #reject: ((error: AgentError) => void) | undefined;
  /** The error, if the limit was exceeded. */
  passed: AgentError | undefined;

  /** @param stop is called when the time is over. */
  constructor(
    readonly tool: string,
    readonly milliseconds: number,
    readonly stop: (error: AgentError) => void,
  ) {
    this.#clock = new Clock(milliseconds, () => this.#pass());
  }

  /** Settles with the work, or rejects when the time is over. Work that ignores its signal is abandoned. */
  async within<T>(work: PromiseLike<T>): Promise<T> {
    const over = new Promise<never>((_, reject) => {
      this.#reject = reject;
    });
    over.catch(() => {}); // handled by the race, if it is still pending
    return Promise.race([this.watching(work), over]);
  }

  /** Counts the time while the work runs, and waits for the work only. The work is stopped by its signal. */
  watching<T>(work: PromiseLike<T>): Promise<T> {
    return this.#clock.running(work);
  }

  /** Pauses the time while a question waits for its answer. */
  pausing<T>(question: PromiseLike<T>): Promise<T> {
    return this.#clock.paused(question);
  }

  #pass(): void {
    this.#clock.end();
    this.passed = new AgentError(
      "ERR_AGENT_TOOL_TIMEOUT",
      `${this.tool} took longer than ${this.milliseconds} ms and was aborted. It may or may not have done its work.`,
    );
    this.stop(this.passed);
    this.#reject?.(this.passed);
  }
}

/** @throws AgentError `ERR_AGENT_OPTIONS` */
export function checkTimeout(milliseconds: number | undefined, what: string): void {
  if (milliseconds === undefined || (milliseconds > 0 && milliseconds <= longest)) return;
  throw new AgentError(
    "ERR_AGENT_OPTIONS",
    `${what} must be a number of milliseconds greater than 0, at most 24 days.`,
  );
}

/** The longest delay of a timer, in milliseconds. */
const longest = 2 ** 31 - 1;
