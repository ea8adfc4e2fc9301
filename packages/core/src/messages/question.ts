import type { Message, Part } from "./message.js";

/** The prefix of a reminder that a plugin sends to the model in the user role. */
export const reminderBegin = "<system-reminder>";

/**
 * True if the user wrote the message. Some providers use the user role for tool results too, and plugins for reminders.
 */
export const isQuestion = ({ role, parts }: Message): boolean =>
  role === "user" && !parts.some((part) => part.type === "tool_call_response" || isReminder(part));

const isReminder = (part: Part): boolean => part.type === "text" && part.content.startsWith(reminderBegin);
