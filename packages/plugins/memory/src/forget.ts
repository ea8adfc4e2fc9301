import type { Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import type { Operations } from "./operations.js";
import { now } from "./store.js";
import { noUser } from "./user.js";

/** The options of a request to forget. */
export interface ForgetOptions {
  /** The plugins that report the deletion, or may refuse it: `audit()`, `tracing()`. The caller closes them. */
  readonly plugins?: readonly Plugin[];
  /** Cancels the erasure when it aborts. */
  readonly signal?: AbortSignal;
}

/** The proof of a request to forget. */
export interface Forgotten {
  /** The id of the run that deleted the records. Use it to find its audit records and its span. */
  readonly runId: string;
  /** The number of removed records, if the store reports it. */
  readonly count: number | undefined;
}

/** Removes all that a store has of a user, as one `delete_memory` in a run of that user. */
export async function forget(
  user: string,
  { plugins = [], signal }: ForgetOptions,
  { name, operations }: { readonly name: string; readonly operations: Operations },
): Promise<Forgotten> {
  if (typeof user !== "string" || user === "") throw noUser();
  const stack = new PluginStack(plugins);
  const run = stack.begin({ userId: user, signal });
  try {
    const { request, carryOut } = operations.deletion(user, now());
    const outcome = await stack.call("memory", run, request, async (invocation) => {
      const { call } = invocation;
      const done = await carryOut(run, call);
      const details = done.count === undefined ? {} : { details: { records: done.count } };
      run.notify({ type: "decision", plugin: name, decision: "forgotten", enforced: true, call, ...details });
      invocation.respond({ value: done });
    });
    const { count } = await outcome.final();
    return { runId: run.runId, count };
  } finally {
    await run.end();
  }
}
