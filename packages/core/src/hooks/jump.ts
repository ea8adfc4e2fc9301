import { CoreError } from "../errors.js";
import { message } from "../messages/build.js";
import type { Message, Reply } from "../messages/message.js";
import { type Check, flag } from "../options.js";
import type { FunctionOptions } from "./plugin.js";

/** A jump, by which a hook sends the run to its end, to the model (again), or to the tools that `reply` calls. */
export type Jump = "end" | "model" | "tools";

/** The change that a hook asks for by what it returns. Nothing returned means: go on. */
export interface Change {
  /** Messages in place of those that inner layers and the model see. */
  readonly messages?: readonly Message[];
  /** The reply in place of the model's or the agent's; the reply of a jump to `end` or `tools`. A text is a reply that says that. */
  readonly reply?: Reply | string;
  readonly jumpTo?: Jump;
}

/** The options of `beforeAgent` and `beforeModel`. */
export interface HookOptions extends FunctionOptions {
  /** The jumps that this hook may return. */
  readonly canJumpTo?: readonly Jump[];
}

/** The options of `afterAgent` and `afterModel`. */
export interface AfterOptions extends HookOptions {
  /** The hook may return `reply`, or a jump. The reply is then held back until the hook has seen it whole; else it streams through. */
  readonly canChange?: boolean;
}

const jumps: readonly unknown[] = ["end", "model", "tools"] satisfies readonly Jump[];
const canJumpTo: Check = (value) =>
  Array.isArray(value) && value.every((jump) => jumps.includes(jump)) ? undefined : 'a list of "end", "model", "tools"';

/** The checks of `HookOptions`. */
export const jumpChecks: Readonly<Record<string, Check>> = { canJumpTo };
/** The checks of `AfterOptions`. */
export const afterChecks: Readonly<Record<string, Check>> = { canJumpTo, canChange: flag };

/** The most jumps by which one hook may send one call back to the model. */
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
    `${hook} sent one call back to the model more than ${maxJumps} times. Let it give up.`,
  );
}

/** The reply that a hook gave; where it gave none, one that says nothing. */
export function replyOf({ reply = { message: message("assistant", []), finishReason: "stop" } }: Change): Reply {
  return typeof reply === "string" ? { message: message("assistant", reply), finishReason: "stop" } : reply;
}
