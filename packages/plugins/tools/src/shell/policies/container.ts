import { spawn } from "node:child_process";
import { killGroup } from "../kill.js";
import { baseEnvironment, type Place, type PlaceOptions, type Policy, start, works } from "./policy.js";

/** The options of the policy `container`. */
export interface ContainerOptions {
  /** The engine. Default: `docker`, or `podman` if only `podman` has the image. */
  readonly engine?: "docker" | "podman";
  /** The image, which has bash and is there already: none is pulled. Default: `debian:stable-slim`. */
  readonly image?: string;
  /** True if commands can use the network. Default: false. */
  readonly network?: boolean;
  /** Memory, in MiB. Default: 1024. */
  readonly memory?: number;
}

const work = "/workspace";

/** The policy of Docker or Podman: a container of the session, which is gone with it. */
export async function container(options: ContainerOptions): Promise<Policy | undefined> {
  const { image = "debian:stable-slim", network = false } = options;
  for (const engine of options.engine === undefined ? (["docker", "podman"] as const) : [options.engine]) {
    if (!(await works(engine, ["image", "inspect", image], engineEnvironment()))) continue;
    const description = `They run in a container${network ? "" : " without network"}; files are kept in ${work}.`;
    return { name: "container", description, place: (session) => inContainer(engine, { image, ...options }, session) };
  }
  return undefined;
}

function inContainer(
  engine: string,
  { image, network = false, memory = 1024 }: ContainerOptions & { readonly image: string },
  { id, workspace, environment }: PlaceOptions,
): Place {
  const { HOME, PATH, ...inside }: Readonly<Record<string, string>> = { ...baseEnvironment(work), ...environment };
  const name = `suite-shell-${id}`;
  const { uid, gid } = { uid: process.getuid?.(), gid: process.getgid?.() };
  const run = [
    ...["run", "--rm", "--interactive", "--init", "--name", name, "--workdir", work],
    ...["--mount", `type=bind,source=${workspace},target=${work}`, "--tmpfs", "/tmp:mode=1777"],
    ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only"],
    ...["--pids-limit", "512", "--memory", `${memory}m`],
    ...(network ? [] : ["--network", "none"]),
    ...(uid === undefined ? [] : ["--user", `${uid}:${gid}`]),
    ...["--env", `HOME=${HOME}`, ...(PATH === undefined ? [] : ["--env", `PATH=${PATH}`])],
    // Passed by name only, so that the values do not appear in the process list.
    ...Object.keys(inside).flatMap((variable) => ["--env", variable]),
  ];
  let pid: number | undefined;
  return {
    pipes: "/tmp",
    shell(script, ...args) {
      const bash = ["bash", "--noprofile", "--norc", "-c", script, "bash", ...args];
      const child = start(engine, [...run, image, ...bash], { env: { ...inside, ...engineEnvironment() } });
      pid = child.pid;
      return child;
    },
    reader: (script, at) =>
      start(engine, ["exec", name, "bash", "-c", script, "bash", `/tmp/${at}`], { env: engineEnvironment() }),
    kill() {
      killGroup(pid);
      spawn(engine, ["rm", "--force", name], { stdio: "ignore", detached: true, env: engineEnvironment() })
        .on("error", () => {})
        .unref();
    },
  };
}

/** Returns the environment variables that an engine's client needs to find the engine. */
function engineEnvironment(): Record<string, string> {
  const known = /^(?:PATH|HOME|XDG_\w+|DOCKER_\w+|CONTAINER_\w+|CONTAINERS_\w+)$/;
  const pairs = Object.entries(process.env).filter(([name, value]) => known.test(name) && value !== undefined);
  return Object.fromEntries(pairs) as Record<string, string>;
}
