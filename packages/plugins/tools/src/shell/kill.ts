import { readdirSync, readFileSync } from "node:fs";

/** The variable by which the processes of a session are known, also those that have left its group. */
export const markVariable = "SUITE_SHELL_SESSION";

/** Kills a process and its group, at once. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, "SIGKILL");
    } catch {
      // gone, or not begun
    }
  }
}

/** Kills what a session has begun and that has left its group, as far as the system shows it: Linux does. */
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
    return []; // no Linux
  }
}

function isMarked(pid: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
  } catch {
    return false; // gone, or of another user
  }
}
