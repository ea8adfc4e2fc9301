import type { Session } from "./session.js";

/** The maximum number of sessions kept for suspended runs. If there are more, the oldest are closed. */
const maxShells = 64;

/** One run's shell, and the calls that wait for it. */
export class RunShell {
  session: Session | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Does some work when all before it is done: commands of one session run one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  get kept(): boolean {
    return this.#timer !== undefined;
  }

  keep(time: number, over: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(over, time);
    this.#timer.unref();
  }

  goOn(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** The shells of all runs that a plugin serves, by run id. A suspended run keeps its shell when it continues. */
export class Sessions {
  readonly #shells = new Map<string, RunShell>();

  of(runId: string): RunShell {
    const there = this.#shells.get(runId);
    there?.goOn();
    if (there !== undefined) return there;
    const shell = new RunShell();
    this.#shells.set(runId, shell);
    return shell;
  }

  has(runId: string): boolean {
    return this.#shells.has(runId);
  }

  keep(runId: string, time: number): void {
    const shell = this.#shells.get(runId);
    if (shell?.session?.open !== true) return void this.#shells.delete(runId);
    shell.keep(time, () => this.kill(runId));
    const stored = [...this.#shells].filter(([, each]) => each.kept);
    for (const [oldest] of stored.slice(0, Math.max(0, stored.length - maxShells))) this.kill(oldest);
  }

  /** Takes the shell out: the caller ends it. */
  take(runId: string): RunShell | undefined {
    const shell = this.#shells.get(runId);
    shell?.goOn();
    this.#shells.delete(runId);
    return shell;
  }

  kill(runId: string): void {
    this.take(runId)?.session?.kill();
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#shells.keys()].map((runId) => this.take(runId)?.session?.end()));
  }
}
