import type { Message, Part } from "@suite/core";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Whether a value is a part, as far as anybody looks at it here. */
export function isPart(value: unknown): value is Part {
  if (!isObject(value) || typeof value.type !== "string") return false;
  if (value.type === "text" || value.type === "reasoning") return typeof value.content === "string";
  return value.type !== "tool_call" || (typeof value.id === "string" && typeof value.name === "string");
}

/** Whether a value is a message. */
export const isMessage = (value: unknown): value is Message =>
  isObject(value) && typeof value.role === "string" && Array.isArray(value.parts) && value.parts.every(isPart);
