import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

/** The policies that isolate a shell from the machine, the safest first. */
export type ShellPolicy = "sandbox" | "container" | "host";

/** The things that a shell needs of its session. */
export interface PlaceOptions {
  readonly id: string;
  /** The folder of the work, on this machine. */
  readonly workspace: string;
  /** The folder of the pipes, on this machine. */
  readonly pipes: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The place of the bash of one session. */
export interface Place {
  /** The folder of the pipes, as the session's bash sees it. */
  readonly pipes: string;
  /** Starts the session's bash, with the script and its arguments. */
  shell(script: string, ...args: readonly string[]): ChildProcess;
  /** Starts the reader of a command's pipes. `path` is relative to the folder of the pipes. */
  reader(script: string, path: string): ChildProcess;
  /** Kills whatever the session has begun, at once. */
  kill(): void;
}

/** A policy that is there on this machine. */
export interface Policy {
  readonly name: ShellPolicy;
  /** The description of the place for the model. */
  readonly description: string;
  place(options: PlaceOptions): Place;
}

/** The variables that each shell has, and no other of this process: no key of a provider, no token. */
export const baseEnvironment = (home: string): Readonly<Record<string, string>> => ({
  HOME: home,
  LANG: "C.UTF-8",
  TERM: "dumb",
});

/** Starts a process with three pipes in its own process group and session, and so without a terminal. */
export function start(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { stdio: "pipe", detached: true, windowsHide: true, ...options });
  child.on("error", () => {}); // it then closes, which is heard
  child.stdin?.on("error", () => {});
  return child;
}

/** The time limit for the check that a policy is available, in milliseconds. */
const checkTime = 10_000;

/** Resolves to `true` if a command succeeds within the time limit. */
export function works(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "ignore", env });
    // The timeout of `spawn` would keep running if the command does not exist.
    const timer = setTimeout(() => child.kill("SIGKILL"), checkTime);
    const ended = (well: boolean): void => {
      clearTimeout(timer);
      resolve(well);
    };
    child.on("error", () => ended(false)).on("exit", (code) => ended(code === 0));
  });
}
