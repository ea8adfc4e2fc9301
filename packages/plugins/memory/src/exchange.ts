import { type AgentRequest, textOf } from "@suite/core";
import { isQuestion } from "@suite/core/messages";
import { shortened } from "./text.js";

/** The part of a run that is kept: what the user asked, and what they were answered in the end. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/** The newest question in a request: also of a run that goes on after a suspension. */
export function questionIn({ messages }: AgentRequest): string {
  const asked = messages.findLast(isQuestion);
  return asked === undefined ? "" : textOf(asked).trim();
}

/** The text of an exchange as it is kept where nobody says otherwise. */
export const wholeExchange =
  (maximum: number) =>
  ({ question, answer }: Exchange): readonly string[] => [
    `User: ${shortened(question, maximum)}\nAssistant: ${shortened(answer, maximum)}`,
  ];
