import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The processes that share a store: as many as there are to be in the end, where there is time for it. */
export const crowdSize = process.env.TEST_LONG === undefined ? 8 : 64;

/** A limit, and the calls that each process makes through it at once. */
export interface Job {
  readonly limit: "modelCallLimit" | "toolCallLimit" | "rateLimit" | "costBudget";
  readonly options: Readonly<Record<string, unknown>>;
  /** Loops of calls in each process. A loop ends when it is refused. */
  readonly loops: number;
  /** The most calls of a loop. */
  readonly calls?: number;
  /** Milliseconds that a call lasts at most. */
  readonly pause?: number;
}

/** One call that was made. */
export interface Made {
  /** Milliseconds since the epoch, before the limit was asked and when it had let the call pass. */
  readonly made: number;
  readonly at: number;
  readonly tokens: number;
}

/** The sum of what processes have seen. */
export interface Seen {
  readonly calls: readonly Made[];
  readonly refused: number;
  readonly failed: number;
  /** Calls that passed since the store could not be asked. */
  readonly open: number;
  /** The failed calls, by the code of their error. */
  readonly codes: Readonly<Record<string, number>>;
}

type Done = Omit<Seen, "calls">;
type Line = Made & { readonly ready?: true; readonly done?: Done };

/** Many processes with the same limits on one store. */
export class Crowd {
  readonly #members: readonly Member[];

  private constructor(members: readonly Member[]) {
    this.#members = members;
  }

  /** Starts them, and waits until all have reached the store. */
  static async start(store: Readonly<Record<string, unknown>>, size = crowdSize): Promise<Crowd> {
    const members = Array.from({ length: size }, () => new Member(store));
    await Promise.all(members.map((member) => member.ready));
    return new Crowd(members);
  }

  /** Has all do the same at once, and gives what those have seen that were not killed meanwhile; of the others, the calls. */
  async run(job: Job): Promise<Seen> {
    const done = await Promise.all(this.#members.map((member) => member.run(job)));
    const codes: Record<string, number> = {};
    for (const each of done) {
      for (const [code, count] of Object.entries(each.codes)) codes[code] = (codes[code] ?? 0) + count;
    }
    const sum = (of: "refused" | "failed" | "open") => done.reduce((total, each) => total + each[of], 0);
    return {
      calls: done.flatMap(({ calls }) => calls),
      refused: sum("refused"),
      failed: sum("failed"),
      open: sum("open"),
      codes,
    };
  }

  /** Kills so many of them, in whatever they do. */
  kill(count: number): void {
    for (const member of this.#members.slice(0, count)) member.kill();
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.end()));
  }
}

class Member {
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;
  #calls: Made[] = [];
  #heard: (done: Done) => void = () => {};

  constructor(store: Readonly<Record<string, unknown>>) {
    const program = join(import.meta.dirname, "../fixtures/stores/worker.mjs");
    const child = spawn(process.execPath, [program, JSON.stringify(store)], { stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    this.#gone = once(child, "close");
    child.stdin.on("error", () => {});
    this.ready = new Promise((resolve, reject) => {
      child.once("exit", () => reject(new Error("A process did not start.")));
      createInterface({ input: child.stdout }).on("line", (text) => {
        const line = JSON.parse(text) as Line;
        if (line.ready) resolve();
        else if (line.done !== undefined) this.#heard(line.done);
        else this.#calls.push(line);
      });
    });
  }

  async run(job: Job): Promise<Seen> {
    this.#calls = [];
    const done = new Promise<Done>((resolve) => {
      this.#heard = resolve;
    });
    this.#child.stdin?.write(`${JSON.stringify(job)}\n`);
    const killed = this.#gone.then((): Done => ({ refused: 0, failed: 0, open: 0, codes: {} }));
    return { ...(await Promise.race([done, killed])), calls: this.#calls };
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#gone;
  }
}
