import type { RuntimeContext } from "@suite/core";
import { MemoryError } from "./errors.js";

/** The user whose memories a run may see: an id, or a function that returns it. */
export type UserOf = string | ((runtime: RuntimeContext) => string | undefined);

/** Returns the user of a run, or `undefined` if it is not known. */
export function userOf(runtime: RuntimeContext, option: UserOf | undefined): string | undefined {
  const user = typeof option === "function" ? option(runtime) : (option ?? idOf(runtime));
  if (user !== undefined && typeof user !== "string") {
    throw new MemoryError("ERR_MEMORY_ANSWER", "The function userId of memory() must return a string or undefined.");
  }
  return user === "" ? undefined : user;
}

/** Returns the user id of the run, or of the nearest outer run that has one. */
function idOf(runtime: RuntimeContext): string | undefined {
  for (let at: RuntimeContext | undefined = runtime; at !== undefined; at = at.parent) {
    if (at.userId !== undefined) return at.userId;
  }
  return undefined;
}

/** Creates the error for a run without a user. A shared memory would disclose one user's data to another. */
export const noUser = (): MemoryError =>
  new MemoryError(
    "ERR_MEMORY_USER",
    'It is not known whose memories this run may see. Give run() a userId, or memory() the option userId; with whenNoUser: "skip" such a run goes without a memory.',
  );
