import type { Notification } from "@suite/core";
import { errorTypeOf } from "@suite/kit/errors";
import type { Fields, Level } from "./logger.js";

/** A log line for an event other than a call: a decision, limit, approval, wait, attempt or fault. */
export interface LogLine {
  readonly level: Level;
  readonly message: string;
  readonly fields: Fields;
}

/** Returns the log line of a notification. It never contains content. */
export function lineOf(notification: Notification): LogLine {
  switch (notification.type) {
    case "decision": {
      const { plugin, decision, place, reason, enforced, details } = notification;
      return info(`decision: ${decision}`, { plugin, decision, place, reason, enforced, ...details });
    }
    case "guardrail": {
      const { plugin, decision, place, enforced } = notification;
      const level = decision === "modify" ? "info" : "warn";
      return { level, message: `guardrail: ${decision}`, fields: { plugin, decision, place, enforced } };
    }
    case "limit": {
      const { plugin, limit, maximum, place, enforced = true, details } = notification;
      return {
        level: "warn",
        message: "limit reached",
        fields: { plugin, limit, maximum, place, enforced, ...details },
      };
    }
    case "approval":
      return info(`tool call ${notification.decision}`, {
        ...named(notification),
        decision: notification.decision,
        by: notification.by,
      });
    case "external_result":
      return info(`tool call elsewhere ${notification.outcome}`, {
        ...named(notification),
        status: notification.outcome,
      });
    case "undo": {
      const fields = { ...named(notification), status: notification.outcome };
      if (notification.outcome === "completed") return info("tool call undone", fields);
      return {
        level: "error",
        message: "tool call not undone",
        fields: { ...fields, "error.type": errorTypeOf(notification.error) },
      };
    }
    case "suspension":
      return info("run waits", { calls: notification.pending.length });
    case "resume":
      return info("run goes on", { calls: notification.pending.length });
    case "attempt": {
      const { attempt, settlement, startedAt, endedAt } = notification;
      const error = settlement.status === "failed" ? errorTypeOf(settlement.error) : undefined;
      const fields = { attempt, status: settlement.status, duration_ms: endedAt - startedAt, "error.type": error };
      return { level: "warn", message: "attempt given up", fields };
    }
    case "fault":
      return {
        level: "error",
        message: "plugin error",
        fields: { where: notification.where, "error.type": errorTypeOf(notification.error) },
      };
  }
}

const info = (message: string, fields: Fields): LogLine => ({ level: "info", message, fields });

const named = ({ toolName, toolCallId }: { readonly toolName: string; readonly toolCallId: string }): Fields => ({
  "gen_ai.tool.name": toolName,
  "gen_ai.tool.call.id": toolCallId,
});
