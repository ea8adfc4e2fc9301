import type { Run as SuiteRun } from "@suite/core/adapter";
import type { RunnerLike, RunOptions } from "../framework.js";
import { currentRun } from "../sdk/current-run.js";
import { standIn } from "../sdk/stand-in.js";

type Session = NonNullable<RunOptions["session"]>;

const sessionIds = new WeakMap<SuiteRun, Awaited<ReturnType<Session["getSessionId"]>>>();

/** Returns the id of the conversation of a run. A session may have to look it up. */
export function sessionIdOf({ config }: RunnerLike, { conversationId, session }: RunOptions) {
  return conversationId ?? config.groupId ?? session?.getSessionId();
}

/**
 * Returns the known id when the SDK first reads it from the session in this run, so that the session is read as often
 * as without plugins.
 */
export function noteSessionId(run: SuiteRun, { session }: RunOptions, id: string | undefined): void {
  if (session === undefined || id === undefined || !Object.isExtensible(session)) return;
  sessionIds.set(run, id);
  standIn(
    session,
    "getSessionId",
    (original: Session["getSessionId"]) =>
      async function (this: Session) {
        const at = currentRun();
        const known = at && sessionIds.get(at.run);
        if (at === undefined || known === undefined) return original.call(this);
        sessionIds.delete(at.run);
        return known;
      },
  );
}
