import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { release } from "node:os";
import { markVariable } from "../kill.js";
import { markedPlace, usualPath } from "./host.js";
import { baseEnvironment, type Place, type PlaceOptions, type Policy, start, works } from "./policy.js";

/** The options of the policy `sandbox`. */
export interface SandboxOptions {
  /** True if commands can use the network. Default: false. */
  readonly network?: boolean;
  /** Files and folders of this machine that commands can read in addition to the system's programs. */
  readonly readable?: readonly string[];
  /**
   * Memory that one process can use for its data, and that `/tmp` and `/dev/shm` can each hold, in MiB. Default: 2048.
   */
  readonly memory?: number;
  /** Processes and threads of one sandbox. Needs Linux 5.14, and does not bind root. Default: 512. */
  readonly processes?: number;
  /** Size of one file that a command writes, in MiB. Default: 1024. */
  readonly fileSize?: number;
}

const work = "/workspace";
const pipesInside = "/run/suite-shell";
const mebibyte = 1024 * 1024;

/** The script that sets the limits of all processes of a sandbox, then becomes the program that its arguments name. */
const limited = 'ulimit -d "$1" -f "$2" && { [ "$3" = 0 ] || ulimit -u "$3"; } && shift 3 && exec "$@"';

/** The policy of bubblewrap: the system's programs, the workspace, and nothing else of the machine. */
export async function sandbox(options: SandboxOptions): Promise<Policy | undefined> {
  const { network = false } = options;
  const environment = { PATH: process.env.PATH ?? usualPath };
  const description = `They run in a sandbox${network ? "" : " without network"}; files are kept in ${work}.`;
  // Before 0.7, bubblewrap has no sizes.
  for (const sized of [true, false]) {
    const wall = walls(options, sized);
    if (!(await works("bwrap", [...wall, ...program(options, ["bash", "-c", "true"])], environment))) continue;
    return { name: "sandbox", description, place: (session) => inSandbox(options, wall, session) };
  }
  return undefined;
}

function inSandbox(options: SandboxOptions, wall: readonly string[], session: PlaceOptions): Place {
  const { id, workspace, pipes, environment } = session;
  const env = { ...baseEnvironment(work), PATH: usualPath, ...environment, [markVariable]: id };
  const bound = ["--bind", workspace, work, "--ro-bind", pipes, pipesInside, "--remount-ro", "/", "--chdir", work];
  return markedPlace(id, pipes, pipesInside, (bash) =>
    start("bwrap", [...wall, ...bound, ...program(options, ["bash", ...bash])], { env }),
  );
}

/** The walls: all namespaces, no privileges, no terminal, and an end with this process. */
function walls(options: SandboxOptions, sized: boolean): readonly string[] {
  const { network = false, readable = [], memory = 2048 } = options;
  const size = (bytes: number): readonly string[] => (sized ? ["--size", String(bytes)] : []);
  const args = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"];
  if (network) args.push("--share-net", "--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf");
  args.push("--ro-bind", "/usr", "/usr");
  for (const folder of ["/bin", "/sbin", "/lib", "/lib32", "/lib64"]) {
    if (!existsSync(folder)) continue;
    if (lstatSync(folder).isSymbolicLink()) args.push("--symlink", readlinkSync(folder), folder);
    else args.push("--ro-bind", folder, folder);
  }
  for (const path of ["/etc/alternatives", "/etc/ssl", "/etc/ld.so.cache"]) args.push("--ro-bind-try", path, path);
  args.push("--proc", "/proc", "--dev", "/dev");
  for (const folder of ["/dev/shm", "/tmp"]) args.push(...size(memory * mebibyte), "--tmpfs", folder);
  args.push(...size(mebibyte), "--tmpfs", "/run", "--remount-ro", "/dev");
  for (const path of readable) args.push("--ro-bind", path, path);
  return args;
}

/** A program within the limits of a sandbox. */
function program(options: SandboxOptions, command: readonly string[]): readonly string[] {
  const { memory = 2048, fileSize = 1024, processes = 512 } = options;
  const limits = [memory * 1024, fileSize * 1024, countsBySandbox() ? processes : 0];
  return ["--", "bash", "-c", limited, "bash", ...limits.map(String), ...command];
}

/** True if the kernel counts processes for each namespace. Older ones count all processes of the user. */
function countsBySandbox(): boolean {
  const [major = 0, minor = 0] = release()
    .split(".")
    .map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}
