import type { Run as SuiteRun } from "@suite/core/adapter";
import type { RunnerLike, RunOptions } from "../framework.js";
import { currentRun } from "../sdk/current-run.js";
import { standIn } from "../sdk/stand-in.js";

type Session = NonNullable<RunOptions["session"]>;

const told = new WeakMap<SuiteRun, Awaited<ReturnType<Session["getSessionId"]>>>();

/** The id of the conversation that a run belongs to. A session may have to ask for it. */
export function sessionIdOf({ config }: RunnerLike, { conversationId, session }: RunOptions) {
  return conversationId ?? config.groupId ?? session?.getSessionId();
}

/** Gives the SDK, where it asks a session for its id in this run first, what it has told already: it is asked as often as bare. */
export function noteSessionId(run: SuiteRun, { session }: RunOptions, id: string | undefined): void {
  if (session === undefined || id === undefined || !Object.isExtensible(session)) return;
  told.set(run, id);
  standIn(
    session,
    "getSessionId",
    (original: Session["getSessionId"]) =>
      async function (this: Session) {
        const at = currentRun();
        const known = at && told.get(at.run);
        if (at === undefined || known === undefined) return original.call(this);
        told.delete(at.run);
        return known;
      },
  );
}
