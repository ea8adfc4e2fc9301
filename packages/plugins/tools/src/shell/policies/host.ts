import { join } from "node:path";
import { killGroup, killMarked, markVariable } from "../kill.js";
import { baseEnvironment, type Place, type PlaceOptions, type Policy, start } from "./policy.js";

/** The path of programs, where this process has none. */
export const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The policy that keeps a shell from nothing: it may do what this process may. */
export const host: Policy = { name: "host", told: "They run on the user's machine.", place: onHost };

function onHost({ id, workspace, pipes, environment }: PlaceOptions): Place {
  const path = process.env.PATH ?? usualPath;
  const env = { ...baseEnvironment(workspace), PATH: path, ...environment, [markVariable]: id };
  let pid: number | undefined;
  return {
    pipes,
    shell(script, ...args) {
      const child = start("bash", ["--noprofile", "--norc", "-c", script, "bash", ...args], { cwd: workspace, env });
      pid = child.pid;
      return child;
    },
    reader: (script, at) => readHere(script, join(pipes, at)),
    kill() {
      killGroup(pid);
      killMarked(id);
    },
  };
}

/** Starts what reads pipes on this machine. */
export const readHere = (script: string, path: string): ReturnType<typeof start> =>
  start("bash", ["--noprofile", "--norc", "-c", script, "bash", path], {
    env: { PATH: process.env.PATH ?? usualPath },
  });
