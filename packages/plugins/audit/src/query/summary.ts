import { isRecord } from "@suite/kit";
import type { Json, JsonObject } from "../record/canonical.js";

/**
 * The members of a record that are shown and searched for, whichever program wrote it. A member that is missing or not
 * a string is absent.
 */
export interface Summary {
  readonly id: string | undefined;
  readonly time: string | undefined;
  readonly stage: string | undefined;
  readonly type: string | undefined;
  readonly operation: string | undefined;
  readonly run: string | undefined;
  readonly agent: string | undefined;
  readonly agentId: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly target: string | undefined;
  readonly decision: string | undefined;
  /** The status of its outcome. */
  readonly status: string | undefined;
}

export function summaryOf(record: JsonObject): Summary {
  const actor = member(record.actor);
  return {
    id: text(record.id),
    time: text(record.time),
    stage: text(record.stage),
    type: text(record.type),
    operation: text(record.operation),
    run: text(record.runId),
    agent: text(actor.agent),
    agentId: text(actor.agentId),
    onBehalfOf: text(actor.onBehalfOf),
    target: text(member(record.target).name),
    decision: text(record.decision),
    status: text(member(record.outcome).status),
  };
}

const text = (value: Json | undefined): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns a member that is an object, otherwise an empty object. */
export const member = (value: Json | undefined): JsonObject => (isRecord(value) ? (value as JsonObject) : {});
