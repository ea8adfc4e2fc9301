import type { Plugin } from "@suite/core";
import type { JSONRPCNotification } from "../protocol.js";

/** The fields of notifications that contain text, by the notification's method. */
const contentFields: ReadonlyMap<string, string> = new Map([
  ["notifications/message", "data"],
  ["notifications/progress", "message"],
  ["notifications/tasks/status", "statusMessage"],
  ["notifications/cancelled", "reason"],
]);

/**
 * Redacts a notification. It is not a call and has no answer. As telemetry of the other side, it is redacted like
 * telemetry.
 */
export function redacted(message: JSONRPCNotification, plugins: readonly Plugin[]): JSONRPCNotification {
  const field = contentFields.get(message.method);
  if (field === undefined || message.params?.[field] === undefined) return message;
  const before: unknown = message.params[field];
  const after = plugins.reduce((value, { redactor }) => (redactor ? redactor.value(value) : value), before);
  return after === before ? message : { ...message, params: { ...message.params, [field]: after } };
}
