import type { Message, Part } from "./message.js";

/** The beginning of a text by which a plugin reminds the model of something, in the user's name. */
export const reminderBegin = "<system-reminder>";

/** Whether a message is the user's own: some providers' users also answer for tools, and plugins remind in the user's name. */
export const isQuestion = ({ role, parts }: Message): boolean =>
  role === "user" && !parts.some((part) => part.type === "tool_call_response" || isReminder(part));

const isReminder = (part: Part): boolean => part.type === "text" && part.content.startsWith(reminderBegin);
