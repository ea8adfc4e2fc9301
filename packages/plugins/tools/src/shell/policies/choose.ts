import { ToolsError } from "../../errors.js";
import { type ContainerOptions, container } from "./container.js";
import { host } from "./host.js";
import type { Policy, ShellPolicy } from "./policy.js";
import { type SandboxOptions, sandbox } from "./sandbox.js";

/** The options of the policies. */
export interface PolicyOptions {
  /** The policy. Default: the safest one that is available. */
  readonly policy?: ShellPolicy | undefined;
  /** Options of the policy `sandbox`. */
  readonly sandbox?: SandboxOptions | undefined;
  /** Options of the policy `container`. */
  readonly container?: ContainerOptions | undefined;
}

/**
 * Returns the named policy, or the safest one that is available.
 *
 * @throws {ToolsError} `ERR_TOOLS_POLICY` if the named policy is not available.
 */
export async function choosePolicy(options: PolicyOptions): Promise<Policy> {
  const { policy } = options;
  const of = {
    sandbox: () => sandbox(options.sandbox ?? {}),
    container: () => container(options.container ?? {}),
    host: async () => host,
  };
  if (policy === undefined) return (await of.sandbox()) ?? (await of.container()) ?? host;
  const named = await of[policy]();
  if (named !== undefined) return named;
  const needs =
    policy === "sandbox"
      ? "bubblewrap (bwrap), and a kernel that allows namespaces"
      : "docker or podman, with the image";
  throw new ToolsError("ERR_TOOLS_POLICY", `The policy ${policy} of shell() is not available: it needs ${needs}.`);
}
