import { once } from "node:events";
import { stat } from "node:fs/promises";
import { type Parsed, parse, UsageError, wholeNumber } from "@suite/audit/internal";
import { inTime, late } from "@suite/kit/time";
import { AuditFollowersError } from "../errors.js";
import { follow } from "../follow/follow.js";
import { followAll } from "../follow/follow-all.js";
import type { Follower } from "../follow/loop.js";
import type { FollowerTarget } from "../follow/target.js";
import { otlpLogs } from "../otlp/otlp-logs.js";
import { postgres } from "../postgres/postgres.js";
import { syslog } from "../syslog/syslog.js";
import type { ExitCode } from "./exit-code.js";
import { headersOfEnvironment } from "./otlp-headers.js";

/** Timers accept at most 31 bits of milliseconds. */
const MAX_SECONDS = 2_000_000;

/**
 * `suite-audit-follow DIR [--otlp URL]... [--postgres URL]... [--syslog URL]... [--once [--timeout SECONDS]]`: sends
 * the log until a signal ends it, or once up to its current end.
 */
export async function followCommand(args: readonly string[]): Promise<ExitCode> {
  const parsed = parse(args, ["otlp", "postgres", "syslog", "table", "cursor", "timeout"], ["once"]);
  const { path, has } = parsed;
  const seconds = timeoutOf(parsed);
  await stat(path).catch((cause: unknown) => {
    throw new AuditFollowersError("ERR_AUDIT_FOLLOWERS_NO_LOG", `${path} cannot be read as a directory.`, { cause });
  });
  const follower = followerOf(path, parsed);
  const told = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  try {
    return has("once") ? await isCaughtUp(follower, told, seconds) : await untilTold(told);
  } finally {
    await follower.close();
  }
}

function timeoutOf({ last, has }: Parsed): number | undefined {
  const given = last("timeout");
  if (given === undefined) return undefined;
  if (!has("once")) throw new UsageError("--timeout requires --once. Without --once, follow runs until it is stopped.");
  return wholeNumber("timeout", given, 1, MAX_SECONDS);
}

function followerOf(path: string, parsed: Parsed): Follower {
  const targets = targetsOf(parsed);
  const [first, ...more] = targets;
  const cursor = parsed.last("cursor");
  if (first === undefined)
    throw new UsageError("A target is required: --otlp, --postgres or --syslog. Each can be repeated.");
  if (more.length > 0 && cursor !== undefined)
    throw new UsageError("--cursor can only be used with one target, since each target has its cursor.");
  const onError = print;
  if (more.length > 0) return followAll(path, targets, { onError });
  return follow(path, first, { onError, ...(cursor !== undefined && { cursor }) });
}

function targetsOf({ all, last }: Parsed): readonly FollowerTarget[] {
  const table = last("table");
  return [
    ...all("otlp").map((url) => otlpLogs({ url, headers: headersOfEnvironment() })),
    ...all("postgres").map((connectionString) => postgres({ connectionString, ...(table !== undefined && { table }) })),
    ...all("syslog").map((url) => syslog({ url })),
  ];
}

/** Waits until the follower has caught up, and returns the exit code. The follower has already printed a failure. */
async function isCaughtUp(follower: Follower, told: Promise<unknown>, seconds?: number): Promise<ExitCode> {
  const asked = follower.caughtUp().then(
    () => 0 as const,
    () => 1 as const,
  );
  const ended = Promise.race([asked, told.then(() => 1 as const)]);
  const code = seconds === undefined ? await ended : await inTime(ended, seconds * 1000);
  if (code !== late) return code;
  console.error(`Not all records were sent within ${seconds} s. The next follower with this cursor sends the rest.`);
  return 1;
}

async function untilTold(told: Promise<unknown>): Promise<ExitCode> {
  // A follower does not keep the process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  await told;
  clearInterval(alive);
  return 0;
}

const print = (error: unknown): void => console.error(error instanceof Error ? error.message : String(error));
