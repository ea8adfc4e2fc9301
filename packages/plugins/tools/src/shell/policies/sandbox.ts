import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { markVariable } from "../kill.js";
import { markedPlace, usualPath } from "./host.js";
import { baseEnvironment, type Place, type PlaceOptions, type Policy, start, works } from "./policy.js";

/** The options of the policy `sandbox`. */
export interface SandboxOptions {
  /** Whether commands reach the network. Default: false. */
  readonly network?: boolean;
  /** Files and folders of this machine that commands can read beside the system's programs. */
  readonly readable?: readonly string[];
}

const work = "/workspace";
const pipesInside = "/run/suite-shell";

/** The policy of bubblewrap: the system's programs, the workspace, and nothing else of the machine. */
export async function sandbox(options: SandboxOptions): Promise<Policy | undefined> {
  const { network = false } = options;
  if (!(await works("bwrap", [...walls(options), "bash", "-c", "true"], { PATH: process.env.PATH ?? usualPath })))
    return undefined;
  const told = `They run in a sandbox${network ? "" : " without network"}; files are kept in ${work}.`;
  return { name: "sandbox", told, place: (place) => inSandbox(options, place) };
}

function inSandbox(options: SandboxOptions, { id, workspace, pipes, environment }: PlaceOptions): Place {
  const env = { ...baseEnvironment(work), PATH: usualPath, ...environment, [markVariable]: id };
  const bound = ["--bind", workspace, work, "--ro-bind", pipes, pipesInside, "--remount-ro", "/", "--chdir", work];
  return markedPlace(id, pipes, pipesInside, (bash) =>
    start("bwrap", [...walls(options), ...bound, "--", "bash", ...bash], { env }),
  );
}

/** The walls: all namespaces, no privileges, no terminal, and an end with this process. */
function walls({ network = false, readable = [] }: SandboxOptions): readonly string[] {
  const args = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"];
  if (network) args.push("--share-net", "--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf");
  args.push("--ro-bind", "/usr", "/usr");
  for (const folder of ["/bin", "/sbin", "/lib", "/lib32", "/lib64"]) {
    if (!existsSync(folder)) continue;
    if (lstatSync(folder).isSymbolicLink()) args.push("--symlink", readlinkSync(folder), folder);
    else args.push("--ro-bind", folder, folder);
  }
  for (const path of ["/etc/alternatives", "/etc/ssl", "/etc/ld.so.cache"]) args.push("--ro-bind-try", path, path);
  args.push("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run");
  for (const path of readable) args.push("--ro-bind", path, path);
  return args;
}
