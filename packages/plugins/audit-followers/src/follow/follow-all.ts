import { list, withMethods } from "@suite/audit/internal";
import { AuditFollowersError } from "../errors.js";
import { checkArgument } from "../options.js";
import { type FollowOptions, follow } from "./follow.js";
import type { Follower } from "./loop.js";
import type { FollowerTarget } from "./target.js";

/**
 * Follows the log in a directory for several targets. Each has a separate position, and reads, waits and fails
 * separately: a target that is down does not block the others.
 *
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION` if there is no target, or two would share a cursor
 *
 * @example
 * ```ts
 * followAll(".suite/audit", [otlpLogs({ url: "http://localhost:4318" }), syslog({ url: "tls://logs.example.com" })]);
 * ```
 */
export function followAll(
  dir: string,
  targets: readonly FollowerTarget[],
  options: Omit<FollowOptions, "cursor"> = {},
): Follower {
  checkArgument("followAll", "targets", targets, list(withMethods("deliver", "close")));
  // Targets that store their positions share no cursor.
  const names = targets.filter(({ positions }) => positions === undefined).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (targets.length === 0 || twice !== undefined) {
    const what = twice === undefined ? "needs a target" : `takes ${twice} only once: two would share a cursor`;
    throw new AuditFollowersError("ERR_AUDIT_FOLLOWERS_INVALID_OPTION", `followAll ${what}.`);
  }
  const followers = targets.map((target) => follow(dir, target, options));
  return {
    caughtUp: () => all(followers.map((follower) => follower.caughtUp())),
    close: () => all(followers.map((follower) => follower.close())),
  };
}

/** Waits for all promises, even if one has failed, and then throws the first failure. */
async function all(pending: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(pending)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}
