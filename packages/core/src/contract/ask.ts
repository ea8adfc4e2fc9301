import type { Reply } from "../messages/message.js";
import type { CallId } from "./call.js";
import type { ReasoningRequest } from "./kinds.js";

/** A request of a plugin to a model: the messages are the whole of it, no system prompt is put in front. */
export type AskRequest = Pick<ReasoningRequest, "messages"> & Partial<ReasoningRequest>;

/** The options of a plugin's question to a model. */
export interface AskOptions {
  /** The call within which it is asked: spans and records hang below it, and so does its abort. */
  readonly parent: CallId;
  /** What for, in a short word: `summarize`, `select_tools`, `moderate`, … Layers tell by it what is not the agent's own. */
  readonly purpose: string;
  /** Another model of the same client. Default: the one that the run asks. */
  readonly model?: string;
  /** Another model client, as `client` of a `ModelRequest`. */
  readonly client?: unknown;
}

/**
 * A model call from inside a plugin or a tool, through all `model` layers of the run, also the plugin's own: one that asks
 * in its `model` hook leaves alone what has a `purpose`, or it would ask for ever (`ERR_ASK_NESTED`).
 */
export type Ask = (request: AskRequest, options: AskOptions) => Promise<Reply>;
