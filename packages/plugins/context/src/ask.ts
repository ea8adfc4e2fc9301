import { type CallId, MiddlewareTermination, message, type Reply, type RuntimeContext, textOf } from "@suite/core";
import { type Check, name as text } from "@suite/core/options";

/** The model that a plugin asks: the run's, unless another is named. */
export interface AskedModel {
  /** The name of the model that is asked. Default: that of the run. */
  readonly model?: string;
  /** The model client that is asked, as the framework has them: see `ModelRequest.client`. */
  readonly client?: unknown;
}

/** The checks of these options. */
export const asked: Readonly<Record<keyof AskedModel, Check>> = { model: text, client: () => undefined };

/** A question of a plugin. */
export interface Question {
  readonly text: string;
  readonly purpose: string;
  readonly runtime: RuntimeContext;
  readonly parent: CallId;
  /** Aborts when the call is given up, and when the run ends. */
  readonly signal: AbortSignal;
}

/** The answer to a question; what there is in its place does not end the run. */
export type Answered = { readonly text: string } | { readonly failure: "failed" | "unavailable" };

/** Asks a model. Rejects where the run is to end: by an abort, or by a layer on purpose. */
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

/** A failure that the run survives. @throws the error where the run is to end. */
export function failed(error: unknown, signal: AbortSignal): { readonly failure: "failed" } {
  signal.throwIfAborted();
  if (MiddlewareTermination.is(error)) throw error;
  return { failure: "failed" };
}

/** Whether a model gave the reply: a layer that answers in its place, as a limit does, says nothing of how it ended. */
const ofModel = ({ usage, finishReason }: Reply): boolean =>
  (usage !== undefined || finishReason !== undefined) && finishReason !== "content_filter" && finishReason !== "error";
