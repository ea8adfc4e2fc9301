import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A program of somebody else, running. */
export interface Running {
  /** Stops the program: it finishes what it has, and ends. */
  stop(): Promise<void>;
  /** Kills the program at once. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Kills the programs of tests that failed before they ended theirs. */
export async function killAll(): Promise<void> {
  await Promise.all([...running].map((child) => end(child, "SIGKILL")));
}

/**
 * Starts a program, and waits until it is up.
 *
 * @throws Error with the end of what it wrote, where it ends before that.
 */
export async function start(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  isUp: () => Promise<boolean>,
): Promise<Running> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  let log = "";
  child.stderr.on("data", (data) => {
    log = `${log}${data}`.slice(-4000);
  });
  while (!(await isUp())) {
    if (hasEnded(child)) throw new Error(`${program} ended: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { stop: () => end(child, "SIGTERM"), kill: () => end(child, "SIGKILL") };
}

/** Whether this is answered with success. */
export const answers = (url: string, request?: RequestInit): Promise<boolean> =>
  fetch(url, request).then(
    ({ ok }) => ok,
    () => false,
  );

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}
