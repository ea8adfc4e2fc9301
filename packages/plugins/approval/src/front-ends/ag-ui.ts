import { isRecord } from "@suite/kit";
import { ApprovalError } from "../errors.js";
import type { Answer, Question } from "./question.js";

/** An interrupt of AG-UI 1.0, as a run ends with it: `outcome: { type: "interrupt", interrupts }`. */
export interface Interrupt {
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  readonly toolCallId: string;
  readonly responseSchema: Record<string, unknown>;
  readonly expiresAt: string;
  readonly metadata: Record<string, unknown>;
}

/** The answer to an interrupt, as the next run's input contains it in `resume`. */
export interface ResumeEntry {
  readonly interruptId: string;
  readonly status: "resolved" | "cancelled";
  readonly payload?: unknown;
}

/**
 * Returns the AG-UI interrupt of a question. Its id is the question's, and its metadata contains the question.
 *
 * @example
 * ```ts
 * const interrupts = (await desk.questions(pending)).map(interruptOf);
 * ```
 */
export const interruptOf = (question: Question): Interrupt => ({
  id: question.id,
  reason: "tool_approval",
  message: question.question,
  toolCallId: question.toolCallId,
  responseSchema: answerSchema(question),
  expiresAt: new Date(question.expiresAt).toISOString(),
  metadata: { question },
});

/**
 * Returns the answer in an entry of `resume`. Returns `undefined` if the interrupt was cancelled: the question stays
 * open.
 *
 * @throws {ApprovalError} `ERR_APPROVAL_NOT_ALLOWED` if the entry has no answer, or one to another question
 */
export function answerIn(entry: ResumeEntry): Answer | undefined {
  const { interruptId: id, status, payload } = isRecord(entry) ? entry : ({} as Partial<ResumeEntry>);
  if (status === "cancelled") return undefined;
  if (typeof id !== "string" || !isRecord(payload) || (payload.id !== undefined && payload.id !== id)) {
    throw new ApprovalError("ERR_APPROVAL_NOT_ALLOWED", "The entry of `resume` has no answer to its interrupt.");
  }
  return { ...payload, id } as Answer;
}

/** Returns the JSON Schema of an answer. A client can build a form from it. */
function answerSchema({ decisions, always, argsSchema }: Question): Record<string, unknown> {
  const takes = (decision: Question["decisions"][number]): boolean => decisions.includes(decision);
  return {
    type: "object",
    properties: {
      decision: { enum: decisions },
      ...(always && { always: { type: "boolean" } }),
      ...(takes("edit") && { arguments: argsSchema ?? {} }),
      ...(takes("reject") && { message: { type: "string" } }),
      ...(takes("respond") && { response: {} }),
    },
    required: ["decision"],
  };
}
