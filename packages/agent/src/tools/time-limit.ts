import { Clock } from "@suite/core/time";
import { AgentError } from "../errors.js";

/** The time limit of one execution of a tool. Time in which a person is asked does not count. */
export class TimeLimit {
  readonly #clock: Clock;
  #reject: ((error: AgentError) => void) | undefined;
  /** The error of a limit that was passed. */
  passed: AgentError | undefined;

  /** @param stop is told when the time is over. */
  constructor(
    readonly tool: string,
    readonly milliseconds: number,
    readonly stop: (error: AgentError) => void,
  ) {
    this.#clock = new Clock(milliseconds, () => this.#pass());
  }

  /** Settles with the work, or rejects when the time is over: what hears nothing is left behind. */
  async within<T>(work: PromiseLike<T>): Promise<T> {
    const over = new Promise<never>((_, reject) => {
      this.#reject = reject;
    });
    over.catch(() => {}); // told by the race, where that is still on
    return Promise.race([this.watching(work), over]);
  }

  /** Lets the time run while the work is under way, and waits for that alone: it hears of the limit by its signal. */
  watching<T>(work: PromiseLike<T>): Promise<T> {
    return this.#clock.running(work);
  }

  /** Stops the time while the question is under way. */
  pausing<T>(question: PromiseLike<T>): Promise<T> {
    return this.#clock.paused(question);
  }

  #pass(): void {
    this.#clock.end();
    this.passed = new AgentError(
      "ERR_AGENT_TOOL_TIMEOUT",
      `${this.tool} took longer than ${this.milliseconds} ms, and was told to stop. Whether it did its work is not known.`,
    );
    this.stop(this.passed);
    this.#reject?.(this.passed);
  }
}

/** @throws AgentError `ERR_AGENT_OPTIONS` */
export function checkTimeout(milliseconds: number | undefined, what: string): void {
  if (milliseconds === undefined || (milliseconds > 0 && milliseconds <= longest)) return;
  throw new AgentError("ERR_AGENT_OPTIONS", `${what} must be a number of milliseconds above 0, of 24 days at most.`);
}

/** The longest time that a timer takes. */
const longest = 2 ** 31 - 1;
