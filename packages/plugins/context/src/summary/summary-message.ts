import { type Message, message, textOf } from "@suite/core";

const begin = "Here is a summary of the conversation so far:\n<summary>\n";
const end = "\n</summary>";

/** Creates the message that replaces the summarised messages. */
export const summaryMessage = (summary: string): Message => message("user", begin + summary + end);

/** Returns the summary in a message, or `undefined` if it is not a summary message. */
export function summaryIn(message: Message | undefined): string | undefined {
  if (message?.role !== "user") return undefined;
  const text = textOf(message);
  return text.startsWith(begin) && text.endsWith(end) ? text.slice(begin.length, -end.length) : undefined;
}
