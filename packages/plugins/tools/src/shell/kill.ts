import { readdirSync, readFileSync } from "node:fs";

/** The environment variable that identifies the processes of a session, including those that left its process group. */
export const markVariable = "SUITE_SHELL_SESSION";

/** Kills a process and its group immediately. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, "SIGKILL");
    } catch {
      // has ended, or was not started
    }
  }
}

/** Kills processes of a session that left its process group, if the system lists them. Linux does. */
export function killMarked(id: string): void {
  const mark = `${markVariable}=${id}`;
  for (let round = 0; round < 5; round++) {
    const found = marked(mark);
    for (const pid of found) killGroup(pid);
    if (found.length === 0) return;
  }
}

function marked(mark: string): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && isMarked(name, mark))
      .map(Number);
  } catch {
    return []; // not Linux
  }
}

function isMarked(pid: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
  } catch {
    return false; // has ended, or belongs to another user
  }
}
