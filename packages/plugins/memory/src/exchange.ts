import { type AgentRequest, textOf } from "@suite/core";
import { isQuestion } from "@suite/core/messages";
import { shortened } from "./text.js";

/** The part of a run that is stored: the user's question and the final answer. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/** Returns the newest question in a request, also for a resumed run. */
export function questionIn({ messages }: AgentRequest): string {
  const question = messages.findLast(isQuestion);
  return question === undefined ? "" : textOf(question).trim();
}

/** Returns the default text of a stored exchange. */
export const completeExchange =
  (maximum: number) =>
  ({ question, answer }: Exchange): readonly string[] => [
    `User: ${shortened(question, maximum)}\nAssistant: ${shortened(answer, maximum)}`,
  ];
