import { CoreError } from "../errors.js";
import { message } from "../messages/build.js";
import type { Message, Reply } from "../messages/message.js";
import { type Check, flag } from "../options.js";
import type { FunctionOptions } from "./plugin.js";

/** A jump from a hook: to the end of the run, to the model (again), or to the tools that `reply` calls. */
export type Jump = "end" | "model" | "tools";

/** A change, returned by a hook. Without one the call continues unchanged. */
export interface Change {
  /** Replaces the messages for inner layers and the model. */
  readonly messages?: readonly Message[];
  /**
   * Replaces the reply of the model or agent. Also the reply of a jump to `end` or `tools`. A string becomes a text
   * reply.
   */
  readonly reply?: Reply | string;
  readonly jumpTo?: Jump;
}

/** Options of `beforeAgent` and `beforeModel`. */
export interface HookOptions extends FunctionOptions {
  /** The jumps that this hook may return. */
  readonly canJumpTo?: readonly Jump[];
}

/** Options of `afterAgent` and `afterModel`. */
export interface AfterOptions extends HookOptions {
  /**
   * True if the hook may return `reply` or a jump. The whole reply is then held back until the hook has returned.
   * Otherwise it streams through.
   */
  readonly canChange?: boolean;
}

const jumps: readonly unknown[] = ["end", "model", "tools"] satisfies readonly Jump[];
const canJumpTo: Check = (value) =>
  Array.isArray(value) && value.every((jump) => jumps.includes(jump)) ? undefined : 'a list of "end", "model", "tools"';

/** Checks of `HookOptions`. */
export const jumpChecks: Readonly<Record<string, Check>> = { canJumpTo };
/** Checks of `AfterOptions`. */
export const afterChecks: Readonly<Record<string, Check>> = { canJumpTo, canChange: flag };

/** The maximum number of jumps to the model by one hook in one call. */
const maxJumps = 25;

/** @throws CoreError `ERR_NOT_DECLARED` */
export function checkJump(hook: string, change: Change | undefined, options: HookOptions): void {
  const jump = change?.jumpTo;
  if (jump === undefined || options.canJumpTo?.includes(jump) === true) return;
  throw new CoreError(
    "ERR_NOT_DECLARED",
    `${hook} returned jumpTo: "${jump}". Declare it: ${hook}(hook, { canJumpTo: ["${jump}"] }).`,
  );
}

/** @throws CoreError `ERR_TOO_MANY_JUMPS` */
export function checkCount(hook: string, jumps: number): void {
  if (jumps <= maxJumps) return;
  throw new CoreError(
    "ERR_TOO_MANY_JUMPS",
    `${hook} jumped back to the model more than ${maxJumps} times for one call. Stop jumping.`,
  );
}

/** Returns the hook's reply, or an empty one if it has none. */
export function replyOf({ reply = { message: message("assistant", []), finishReason: "stop" } }: Change): Reply {
  return typeof reply === "string" ? { message: message("assistant", reply), finishReason: "stop" } : reply;
}
