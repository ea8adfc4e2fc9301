import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

/** The policies by which a shell is kept from the machine, the safest first. */
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

/** The place where one session's bash runs. */
export interface Place {
  /** The folder of the pipes, as the session's bash sees it. */
  readonly pipes: string;
  /** Starts the session's bash, with the script and its arguments. */
  shell(script: string, ...args: readonly string[]): ChildProcess;
  /** Starts what reads the pipes of a command, whose path is given without the folder. */
  reader(script: string, path: string): ChildProcess;
  /** Kills whatever the session has begun, at once. */
  kill(): void;
}

/** A policy that is there on this machine. */
export interface Policy {
  readonly name: ShellPolicy;
  /** The words for the model about where it is. */
  readonly told: string;
  place(options: PlaceOptions): Place;
}

/** The variables that each shell has, and no other of this process: no key of a provider, no token. */
export const baseEnvironment = (home: string): Readonly<Record<string, string>> => ({
  HOME: home,
  LANG: "C.UTF-8",
  TERM: "dumb",
});

/** Starts a process with three pipes, in a group and a session of its own, and so without a terminal. */
export function start(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { stdio: "pipe", detached: true, windowsHide: true, ...options });
  child.on("error", () => {}); // it then closes, which is heard
  child.stdin?.on("error", () => {});
  return child;
}

/** Milliseconds for the question whether a policy is there. */
const checkTime = 10_000;

/** Whether a command ends well in the time. */
export function works(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: "ignore", env });
    // Node's own timer would stay where there is no such command.
    const timer = setTimeout(() => child.kill("SIGKILL"), checkTime);
    const ended = (well: boolean): void => {
      clearTimeout(timer);
      resolve(well);
    };
    child.on("error", () => ended(false)).on("exit", (code) => ended(code === 0));
  });
}
