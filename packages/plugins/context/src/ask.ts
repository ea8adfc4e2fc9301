import { type CallId, MiddlewareTermination, message, type Reply, type RuntimeContext, textOf } from "@suite/core";
import { type Check, name as text } from "@suite/kit/options";

/** Selects the model that a plugin asks. Default: the run's model. */
export interface AskedModel {
  /** The name of the model. Default: the run's model. */
  readonly model?: string;
  /** The model client of the framework: see `ModelRequest.client`. */
  readonly client?: unknown;
}

/** The checks of these options. */
export const modelChecks: Readonly<Record<keyof AskedModel, Check>> = { model: text, client: () => undefined };

/** A question of a plugin. */
export interface Question {
  readonly text: string;
  readonly purpose: string;
  readonly runtime: RuntimeContext;
  readonly parent: CallId;
  /** Aborts when the call is cancelled or the run ends. */
  readonly signal: AbortSignal;
}

/** The answer to a question, or a failure that does not end the run. */
export type Answered = { readonly text: string } | { readonly failure: "failed" | "unavailable" };

/** Asks a model. Rejects if the run must end: by an abort, or an intentional stop of a layer. */
export async function answerTo(question: Question, { model, client }: AskedModel): Promise<Answered> {
  const { runtime, parent, purpose, signal } = question;
  if (runtime.ask === undefined) return { failure: "unavailable" };
  const other = { ...(model !== undefined && { model }), ...(client !== undefined && { client }) };
  try {
    const reply = await runtime.ask({ messages: [message("user", question.text)] }, { parent, purpose, ...other });
    signal.throwIfAborted();
    return ofModel(reply) ? { text: textOf(reply.message) } : { failure: "failed" };
  } catch (error) {
    return failed(error, signal);
  }
}

/**
 * Returns a failure that does not end the run.
 * @throws the error if the run must end
 */
export function failed(error: unknown, signal: AbortSignal): { readonly failure: "failed" } {
  signal.throwIfAborted();
  if (MiddlewareTermination.is(error)) throw error;
  return { failure: "failed" };
}

/** Returns true if a model produced the reply. A reply of a layer, such as a limit, has no usage or finish reason. */
const ofModel = ({ usage, finishReason }: Reply): boolean =>
  (usage !== undefined || finishReason !== undefined) && finishReason !== "content_filter" && finishReason !== "error";
