import { type Message, message, textOf } from "@suite/core";

const begin = "Here is a summary of the conversation so far:\n<summary>\n";
const end = "\n</summary>";

/** The message that stands in a history for what was summarised. */
export const summaryMessage = (summary: string): Message => message("user", begin + summary + end);

/** The summary in a message, where it is one of these. */
export function summaryIn(given: Message | undefined): string | undefined {
  if (given?.role !== "user") return undefined;
  const text = textOf(given);
  return text.startsWith(begin) && text.endsWith(end) ? text.slice(begin.length, -end.length) : undefined;
}
