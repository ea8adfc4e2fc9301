import type { Plugin } from "../contract/plugin.js";
import { CoreError } from "../errors.js";
import { PluginStack } from "./stack.js";

/** Options of `forgetUser`. */
export interface ForgetUserOptions {
  /**
   * A reference for the proof, such as the number of the request. Not the user's name, since the proof is not erased.
   */
  readonly reference?: string | undefined;
  /** Cancels the erasure. Plugins that are done stay done. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of one plugin. */
export interface ForgottenData {
  readonly plugin: string;
  /** The number of entries that were erased, if the plugin reports it. */
  readonly count?: number;
  /** The error of the plugin. Some of the user's data may be left. */
  readonly error?: unknown;
}

/** The report on an erasure. */
export interface ForgetUserReport {
  /** The id of the erasure's run. Its records and its span are the proof. They do not name the user. */
  readonly runId: string;
  /** True if no plugin failed. */
  readonly complete: boolean;
  /** The plugins that keep data of users, in call order. */
  readonly plugins: readonly ForgottenData[];
  /** Places that no plugin can erase, in words for people. */
  readonly notReached: readonly string[];
}

const notReached = [
  "traces, logs and metrics in your backends: user.id, session.id, and content if it is recorded",
  "checkpoints, sessions and histories that your framework or your application keeps",
  "requests to model providers and tools",
  "data under the user's id in plugins that are not in this list, and in caches and counters until they expire",
  "backups of all of these",
];

/**
 * Erases the data that plugins keep of a user, one plugin after the other, and continues if one fails. It is one
 * `delete_memory` call through the plugins' layers: audit and tracing record it, and a policy may refuse it. The
 * records contain the name and the result of each plugin, but not the user.
 *
 * @throws CoreError `ERR_INVALID_OPTION` for an empty user. Errors of layers pass unchanged.
 * @example
 * ```ts
 * const report = await forgetUser("ada", plugins, { reference: "request 17" });
 * ```
 */
export async function forgetUser(
  user: string,
  plugins: readonly Plugin[],
  { reference, signal }: ForgetUserOptions = {},
): Promise<ForgetUserReport> {
  if (typeof user !== "string" || user === "") {
    throw new CoreError("ERR_INVALID_OPTION", "forgetUser() takes the id of a user: a string that is not empty.");
  }
  const stack = new PluginStack(plugins);
  const run = stack.begin({ signal });
  try {
    const done: ForgottenData[] = [];
    const request = { operation: "delete_memory", store: "user data" } as const;
    const outcome = await stack.call("memory", run, request, async (invocation) => {
      const { call } = invocation;
      for (const plugin of stack.plugins) {
        if (plugin.forgetUser === undefined) continue;
        const result = await forgottenBy(plugin, user);
        done.push(result);
        const details = {
          ...(result.count !== undefined && { count: result.count }),
          ...(reference !== undefined && { reference }),
        };
        const decision = "error" in result ? "not_forgotten" : "forgotten";
        run.notify({ type: "decision", plugin: plugin.name, decision, enforced: true, call, details });
      }
      const failed = done.filter((each) => "error" in each).length;
      invocation.respond({ value: { count: done.length - failed } });
    });
    await outcome.final();
    return { runId: run.runId, complete: done.every((each) => !("error" in each)), plugins: done, notReached };
  } catch (error) {
    run.failed(error);
    throw error;
  } finally {
    await run.end();
  }
}

async function forgottenBy(plugin: Plugin, user: string): Promise<ForgottenData> {
  try {
    const count = await plugin.forgetUser?.(user);
    return { plugin: plugin.name, ...(count !== undefined && { count }) };
  } catch (error) {
    return { plugin: plugin.name, error };
  }
}
