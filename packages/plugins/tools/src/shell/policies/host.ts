import { join } from "node:path";
import { killGroup, killMarked, markVariable } from "../kill.js";
import { baseEnvironment, type Place, type PlaceOptions, type Policy, start } from "./policy.js";

/** The `PATH` that is used if this process has none. */
export const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The policy without isolation: the shell has the rights of this process. */
export const host: Policy = { name: "host", description: "They run on the user's machine.", place: onHost };

function onHost({ id, workspace, pipes, environment }: PlaceOptions): Place {
  const path = process.env.PATH ?? usualPath;
  const env = { ...baseEnvironment(workspace), PATH: path, ...environment, [markVariable]: id };
  const options = { cwd: workspace, env };
  return markedPlace(id, pipes, pipes, (bash) => start("bash", bash, options));
}

/**
 * Creates a place whose processes run on this machine. A mark identifies them later.
 *
 * @param inside The folder of the pipes, as the session's bash sees it.
 * @param startBash Starts bash with these arguments.
 */
export function markedPlace(
  mark: string,
  pipes: string,
  inside: string,
  startBash: (args: readonly string[]) => ReturnType<typeof start>,
): Place {
  let pid: number | undefined;
  return {
    pipes: inside,
    shell(script, ...args) {
      const child = startBash(["--noprofile", "--norc", "-c", script, "bash", ...args]);
      pid = child.pid;
      return child;
    },
    // A process inside cannot replace a pipe: a sandboxed process may write into pipes, but not create files.
    reader: (script, at) => readHere(script, join(pipes, at)),
    kill() {
      killGroup(pid);
      killMarked(mark);
    },
  };
}

/** Starts a reader of pipes on this machine. */
const readHere = (script: string, path: string): ReturnType<typeof start> =>
  start("bash", ["--noprofile", "--norc", "-c", script, "bash", path], {
    env: { PATH: process.env.PATH ?? usualPath },
  });
