import { timeOf } from "../query/filter.js";
import type { Found } from "../query/found.js";
import { member } from "../query/summary.js";
import type { Json, JsonObject } from "../record/canonical.js";

/** The schema of the events: https://schema.ocsf.io/1.8.0/classes/api_activity. */
const SCHEMA_VERSION = "1.8.0";
const CATEGORY = 6;
const CLASS = 6003;
/** The class has create, read, update and delete, but no activity for agents. */
const ACTIVITY_OTHER = 99;

const STATUS = { unknown: 0, success: 1, failure: 2, other: 99 };
const SEVERITY = { informational: 1, low: 2, high: 4 };

/** Members of a record that have a field in an event. The others are copied to `unmapped`. */
const mapped = new Set([
  "id",
  "time",
  "type",
  "operation",
  "runId",
  "sessionId",
  "callId",
  "traceId",
  "actor",
  "target",
  "outcome",
]);

/**
 * Converts a record to an event of the Open Cybersecurity Schema Framework: class API Activity, with the profile
 * `trace`.
 */
export function ocsfEvent({ file, index, record, summary }: Found): JsonObject {
  const { id, time, type, operation, agent, agentId, onBehalfOf, target, status, run } = summary;
  const { name: _name, id: targetId, ...about } = member(record.target);
  const { code, message, type: errorType } = member(member(record.outcome).error);
  const unmapped = Object.fromEntries(Object.entries(record).filter(([name]) => !mapped.has(name)));
  const doing = operation ?? type ?? "unknown";
  return present({
    metadata: present({
      version: SCHEMA_VERSION,
      product: { name: "@suite/audit", vendor_name: "suite" },
      profiles: ["trace"],
      uid: id,
      correlation_uid: run,
      event_code: type,
      log_name: file,
      sequence: index,
      original_time: time,
    }),
    category_uid: CATEGORY,
    category_name: "Application Activity",
    class_uid: CLASS,
    class_name: "API Activity",
    activity_id: ACTIVITY_OTHER,
    activity_name: doing,
    type_uid: CLASS * 100 + ACTIVITY_OTHER,
    time: timeOf(time) ?? 0,
    severity_id: severityOf(type, status),
    ...statusOf(status),
    status_code: typeof code === "number" ? String(code) : (code ?? errorType),
    status_detail: message,
    actor: present({
      app_name: agent ?? (agentId === undefined ? "unknown" : undefined),
      app_uid: agentId,
      user: onBehalfOf === undefined ? undefined : { uid: onBehalfOf },
      session: typeof record.sessionId === "string" ? { uid: record.sessionId } : undefined,
    }),
    api: present({
      operation: doing,
      request: typeof record.callId === "string" ? { uid: record.callId } : undefined,
      service: typeof about.provider === "string" ? { name: about.provider } : undefined,
    }),
    src_endpoint: { svc_name: agent ?? agentId ?? "unknown" },
    dst_endpoint: typeof about.server === "string" ? { hostname: about.server } : undefined,
    resources: target === undefined ? undefined : [present({ name: target, uid: targetId, type })],
    trace: typeof record.traceId === "string" ? { uid: record.traceId } : undefined,
    unmapped: Object.keys(unmapped).length === 0 ? undefined : unmapped,
  });
}

/** Lost records have the highest severity. Failures are low. */
function severityOf(type: string | undefined, status: string | undefined): number {
  if (type === "gap") return SEVERITY.high;
  return type === "fault" || status === "failed" ? SEVERITY.low : SEVERITY.informational;
}

/** Returns the status in OCSF. It is unknown for a record that has not ended or has no end. */
function statusOf(status: string | undefined): { status_id: number; status: string } {
  if (status === undefined) return { status_id: STATUS.unknown, status: "Unknown" };
  if (status === "completed") return { status_id: STATUS.success, status: "Success" };
  if (status === "failed") return { status_id: STATUS.failure, status: "Failure" };
  return { status_id: STATUS.other, status };
}

/** Returns the members that are not undefined. */
function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const defined = Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(defined);
}
