import { join, resolve } from "node:path";
import { type OptionChecks, positive, withMethods } from "@suite/audit/internal";
import { callable, name, time } from "@suite/kit/options";
import { AuditFollowersError } from "../errors.js";
import { checkArgument, checkOptions } from "../options.js";
import { cursorOf } from "./cursor.js";
import { CursorFile } from "./cursor-file.js";
import { type Follower, FollowLoop } from "./loop.js";
import { reporter } from "./reports.js";
import type { FollowerTarget } from "./target.js";

/** The options of `follow`. */
export interface FollowOptions {
  /**
   * The file with the delivered positions. Default: `.follow-NAME.json` in the log's directory. Not used for a target
   * that stores positions itself, as `postgres` does.
   */
  readonly cursor?: string;
  /** The time between two reads of the directory, in milliseconds. Default 1000. */
  readonly pollMs?: number;
  /** Maximum size of a batch in bytes of stored lines. Default 256 KiB. A batch also has at most 500 lines. */
  readonly batchBytes?: number;
  /** Receives every error. Without it, each kind of error is one process warning. Nothing is ever thrown. */
  readonly onError?: (error: unknown) => void;
}

const MAX_LINES = 500;

const checks: OptionChecks<FollowOptions> = { cursor: name, pollMs: time, batchBytes: positive, onError: callable };

/**
 * Follows the log in a directory. Reads existing and new files, and delivers each acknowledged line to a target, in
 * order within each file, at least once. Only reads the files. No writer waits for it.
 *
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_INVALID_OPTION`
 *
 * @example
 * ```ts
 * const follower = follow(".suite/audit", otlpLogs({ url: "http://localhost:4318" }));
 * // Before the process ends, if no other process follows the directory:
 * await follower.caughtUp();
 * await follower.close();
 * ```
 */
export function follow(dir: string, target: FollowerTarget, options: FollowOptions = {}): Follower {
  checkArgument("follow", "dir", dir, name);
  checkArgument("follow", "target", target, withMethods("deliver", "close"));
  options = checkOptions("follow", options, checks);
  const { pollMs = 1000, batchBytes = 256 * 1024 } = options;
  if (typeof target.name !== "string" || !/^[\w.-]{1,100}$/.test(target.name))
    throw invalid("A target's name must consist of letters, digits, `.`, `_` and `-`, at most 100.");
  const path = resolve(options.cursor ?? join(dir, `.follow-${target.name}.json`));
  return new FollowLoop({
    dir: resolve(dir),
    target,
    cursor: cursorOf(target) ?? new CursorFile(path),
    pollMs,
    limits: { bytes: batchBytes, lines: MAX_LINES },
    report: reporter(options.onError),
  });
}

const invalid = (message: string): AuditFollowersError =>
  new AuditFollowersError("ERR_AUDIT_FOLLOWERS_INVALID_OPTION", message);
