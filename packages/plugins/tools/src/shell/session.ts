import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { inTime } from "@suite/kit/time";
import { ToolsError } from "../errors.js";
import { killGroup } from "./kill.js";
import { untilMark } from "./marked.js";
import { Output, type OutputBounds } from "./output.js";
import type { Place, Policy } from "./policies/policy.js";
import { readerScript, sessionScript } from "./scripts.js";

/** The end of a command. `exited`: it ended the shell itself. */
type CommandEnd = "done" | "exited" | "timed_out" | "flooded" | "aborted";

/** The outcome of a command. */
export interface CommandOutcome {
  readonly end: CommandEnd;
  readonly code: number | undefined;
  readonly output: Output;
}

/** The options of a session. */
export interface SessionOptions {
  readonly policy: Policy;
  /** The working folder. Default: a temporary folder, which is removed with the session. */
  readonly workspace: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/** The time limit for the start of a shell, in milliseconds. An engine may have to create a container. */
const startTime = 30_000;
/** The maximum number of characters that one command may print. A command that prints more is stopped. */
const mostPrinted = 16 * 2 ** 20;
/** The time during which output is still read after a command has ended the shell, in milliseconds. */
const readTime = 1000;
/** Commands whose pipes something in the background still holds, that are read on. */
const mostLingering = 32;

const withoutPipes =
  "The pipes of a command could not be created. A shell needs mkfifo, cat and rm on the PATH, and room for temporary files.";

const live = new Set<Session>();
const killAll = (): void => {
  for (const session of live) session.kill();
};

/** One bash, with its commands one after the other, and all that they begin. */
export class Session {
  readonly #folder: string;
  readonly #place: Place;
  readonly #shell: ChildProcess;
  readonly #ended: Promise<number | undefined>;
  readonly #lingering = new Set<ChildProcess>();
  #commands = 0;
  /** True if it still accepts commands. */
  open = true;

  private constructor(folder: string, place: Place) {
    this.#folder = folder;
    this.#place = place;
    this.#shell = place.shell(sessionScript, place.pipes);
    this.#ended = new Promise((resolve) => {
      this.#shell.once("exit", (code) => resolve(code ?? undefined)).once("error", () => resolve(undefined));
    });
    void this.#ended.then(() => this.#close(killLater));
    if (live.size === 0) process.once("exit", killAll);
    live.add(this);
  }

  /** Starts a shell. @throws {ToolsError} `ERR_TOOLS_SHELL` if it does not start. */
  static async start({ policy, workspace, environment }: SessionOptions): Promise<Session> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "suite-shell-")));
    chmodSync(folder, 0o700);
    const folders = { pipes: join(folder, "pipes"), workspace: join(folder, "workspace") };
    for (const each of Object.values(folders)) mkdirSync(each, { mode: 0o700 });
    const id = randomBytes(12).toString("hex");
    const place = policy.place({ id, environment, ...folders, ...(workspace !== undefined && { workspace }) });
    const session = new Session(folder, place);
    const begun = await inTime(
      Promise.race([beginning(session.#shell.stdout), session.#ended.then(() => false)]),
      startTime,
    );
    if (begun === true) {
      for (const stream of [session.#shell.stdout, session.#shell.stderr]) stream?.on("error", () => {}).resume();
      letExit(session.#shell);
      return session;
    }
    session.kill();
    throw new ToolsError(
      "ERR_TOOLS_SHELL",
      `No shell could be started with the policy ${policy.name}: it needs bash and an existing workspace.`,
    );
  }

  /** Runs a command to its end, or to that of the session. It is not called while another one runs. */
  async run(command: string, timeout: number, bounds: OutputBounds, signal: AbortSignal): Promise<CommandOutcome> {
    const output = new Output(bounds);
    const number = String(++this.#commands);
    const mark = randomBytes(16).toString("hex");
    let why: CommandEnd | undefined;
    const stop = (reason: CommandEnd): void => {
      why ??= reason;
      this.kill();
    };
    const timer = setTimeout(stop, timeout, "timed_out");
    const abort = (): void => stop("aborted");
    signal.addEventListener("abort", abort);
    try {
      if (signal.aborted) abort();
      if (!this.open) return { end: why ?? "exited", code: undefined, output };
      const reader = this.#place.reader(readerScript, number);
      this.#lingering.add(reader);
      reader.once("close", () => this.#lingering.delete(reader));
      if ((await Promise.race([beginning(reader.stdout), this.#ended.then(() => false)])) !== true) {
        const goesOn = this.open && why === undefined;
        stop("exited");
        if (goesOn) throw new ToolsError("ERR_TOOLS_SHELL", withoutPipes);
        return { end: why ?? "exited", code: undefined, output };
      }
      const take = (stream: "out" | "err") => (text: string) => {
        if (why !== undefined && why !== "exited") return;
        output.add(stream, text);
        if (output.characters > mostPrinted) stop("flooded");
      };
      const read = [
        untilMark(reader.stdout as Readable, mark, take("out")),
        untilMark(reader.stderr as Readable, mark, take("err")),
      ];
      this.#shell.stdin?.write(`${number}\0${mark}\0${command}\0`);
      const [code] = await Promise.all(read);
      if (code !== undefined && why === undefined) return { end: "done", code, output };
      const exit = await this.#ended;
      return { end: why ?? "exited", code: exit, output };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      for (const reader of this.#lingering) letExit(reader);
      this.#letGo();
    }
  }

  /** Kills the session, and waits until the system has ended it. */
  async end(): Promise<void> {
    this.kill();
    await inTime(this.#ended, 1000);
  }

  /** Ends the session: kills all processes that it started and removes its files. */
  kill(): void {
    this.#close((reader) => killGroup(reader.pid));
  }

  #close(stop: (reader: ChildProcess) => void): void {
    if (!this.open) return;
    this.open = false;
    this.#place.kill();
    for (const reader of this.#lingering) stop(reader);
    live.delete(this);
    if (live.size === 0) process.off("exit", killAll);
    try {
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // a command has taken the right to remove it away
    }
  }

  /** Pipes that the background holds are read on, up to a number of them. */
  #letGo(): void {
    for (const oldest of this.#lingering) {
      if (this.#lingering.size <= mostLingering) return;
      this.#lingering.delete(oldest);
      killGroup(oldest.pid);
    }
  }
}

/**
 * Kills a reader that has not reached the end of its pipes: the reader of a command that never started would wait
 * forever.
 */
function killLater(reader: ChildProcess): void {
  const timer = setTimeout(() => killGroup(reader.pid), readTime);
  reader.once("close", () => clearTimeout(timer));
}

/** Lets this process end between commands: nothing of a session keeps it, and the session ends with it. */
function letExit(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket | null)?.unref();
}

/** Resolves to `true` at the first character of a process's output, and to `false` if the output ends before. */
function beginning(stream: Readable | null): Promise<boolean> {
  return new Promise((resolve) => {
    if (stream === null) return resolve(false);
    const ready = (): void => {
      const first: Buffer | null = stream.read(1);
      if (first === null) return;
      stream.off("readable", ready).off("close", onClose);
      resolve(true);
    };
    const onClose = (): void => {
      stream.off("readable", ready);
      resolve(false);
    };
    stream.on("readable", ready).once("close", onClose);
  });
}
