import type { Message } from "@suite/core";

/** Whether a message is the user's own: some providers' users also answer for tools. */
export const isQuestion = ({ role, parts }: Message): boolean =>
  role === "user" && !parts.some(({ type }) => type === "tool_call_response");
