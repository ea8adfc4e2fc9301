import type { RuntimeContext } from "@suite/core";
import { MemoryError } from "./errors.js";

/** The user whose memories a run may see: an id, or a function that tells it. */
export type UserOf = string | ((runtime: RuntimeContext) => string | undefined);

/** The user of a run; undefined where nobody says who it is. */
export function userOf(runtime: RuntimeContext, given: UserOf | undefined): string | undefined {
  const user = typeof given === "function" ? given(runtime) : (given ?? idOf(runtime));
  if (user !== undefined && typeof user !== "string") {
    throw new MemoryError("ERR_MEMORY_ANSWER", "The function userId of memory() gives a text, or undefined.");
  }
  return user === "" ? undefined : user;
}

/** The run's own user; of a sub-agent's run, that of the run round it. */
function idOf(runtime: RuntimeContext): string | undefined {
  for (let at: RuntimeContext | undefined = runtime; at !== undefined; at = at.parent) {
    if (at.userId !== undefined) return at.userId;
  }
  return undefined;
}

/** The error about a run of nobody: a memory that all of them share would tell one user what another said. */
export const noUser = (): MemoryError =>
  new MemoryError(
    "ERR_MEMORY_USER",
    'It is not known whose memories this run may see. Give run() a userId, or memory() the option userId; with whenNoUser: "skip" such a run goes without a memory.',
  );
