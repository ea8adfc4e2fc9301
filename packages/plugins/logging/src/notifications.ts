import type { Notification } from "@suite/core";
import { errorTypeOf } from "@suite/kit/errors";
import type { Fields, Level } from "./logger.js";

/** A log line for an event other than a call: a decision, limit, approval, wait, attempt or fault. */
export interface Told {
  readonly level: Level;
  readonly message: string;
  readonly fields: Fields;
}

/** Returns the log line of a notification. It never contains content. */
export function lineOf(told: Notification): Told {
  switch (told.type) {
    case "decision": {
      const { plugin, decision, place, reason, enforced, details } = told;
      return info(`decision: ${decision}`, { plugin, decision, place, reason, enforced, ...details });
    }
    case "guardrail": {
      const { plugin, decision, place, enforced } = told;
      const level = decision === "modify" ? "info" : "warn";
      return { level, message: `guardrail: ${decision}`, fields: { plugin, decision, place, enforced } };
    }
    case "limit": {
      const { plugin, limit, maximum, place, enforced = true, details } = told;
      return {
        level: "warn",
        message: "limit reached",
        fields: { plugin, limit, maximum, place, enforced, ...details },
      };
    }
    case "approval":
      return info(`tool call ${told.decision}`, { ...named(told), decision: told.decision, by: told.by });
    case "external_result":
      return info(`tool call elsewhere ${told.outcome}`, { ...named(told), status: told.outcome });
    case "undo": {
      const fields = { ...named(told), status: told.outcome };
      if (told.outcome === "completed") return info("tool call undone", fields);
      return {
        level: "error",
        message: "tool call not undone",
        fields: { ...fields, "error.type": errorTypeOf(told.error) },
      };
    }
    case "suspension":
      return info("run waits", { calls: told.pending.length });
    case "resume":
      return info("run goes on", { calls: told.pending.length });
    case "attempt": {
      const { attempt, settlement, startedAt, endedAt } = told;
      const error = settlement.status === "failed" ? errorTypeOf(settlement.error) : undefined;
      const fields = { attempt, status: settlement.status, duration_ms: endedAt - startedAt, "error.type": error };
      return { level: "warn", message: "attempt given up", fields };
    }
    case "fault":
      return {
        level: "error",
        message: "plugin error",
        fields: { where: told.where, "error.type": errorTypeOf(told.error) },
      };
  }
}

const info = (message: string, fields: Fields): Told => ({ level: "info", message, fields });

const named = ({ toolName, toolCallId }: { readonly toolName: string; readonly toolCallId: string }): Fields => ({
  "gen_ai.tool.name": toolName,
  "gen_ai.tool.call.id": toolCallId,
});
