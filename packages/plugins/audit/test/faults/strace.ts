import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { it } from "@jest/globals";

const canTrace = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;
if (!canTrace && process.env.CI) throw new Error("CI cannot use strace: the faults of the kernel are not tested");
if (!canTrace) console.info("strace cannot be used here: the tests with faults of the kernel are left out");

/** A test that needs strace. */
export const traced = canTrace ? it : it.skip;

/** Follows a process that runs, from now on; resolves when it is attached. `ended` resolves when it has let go. */
export async function attach(pid: number, options: readonly string[]) {
  const strace = spawn("strace", ["-f", ...options, "-p", String(pid)], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(strace, "close");
  await Promise.race([once(strace.stderr, "data"), ended]);
  strace.stderr.resume();
  return {
    ended,
    /** Lets go: what was held goes on. */
    release: async () => {
      strace.kill("SIGTERM");
      await ended;
    },
    /** Kills strace, whatever became of the process. */
    kill: () => strace.kill("SIGKILL"),
  };
}
