import { describe, expect, it } from "@jest/globals";
import { ocsfEvent } from "../../src/export/ocsf.js";
import { readRecord } from "../../src/query/found.js";
import type { JsonObject } from "../../src/record/canonical.js";

/**
 * Members that OCSF 1.8.0 requires of class API Activity (6003) with the profile `trace`, and of the objects in it: those
 * that must be there, and those of which one must be. From the schema's own definitions (github.com/ocsf/ocsf-schema,
 * Apache-2.0).
 */
const required: Readonly<Record<string, readonly string[]>> = {
  "": [
    "activity_id",
    "actor",
    "api",
    "category_uid",
    "class_uid",
    "metadata",
    "severity_id",
    "src_endpoint",
    "time",
    "type_uid",
  ],
  metadata: ["product", "version"],
  api: ["operation"],
  "api.request": ["uid"],
  trace: ["uid"],
};
const oneOf: Readonly<Record<string, readonly string[]>> = {
  "metadata.product": ["name", "uid"],
  actor: ["process", "user", "invoked_by", "session", "app_name", "app_uid"],
  "actor.user": ["account", "name", "uid"],
  "api.service": ["name", "uid"],
  src_endpoint: ["ip", "uid", "name", "hostname", "svc_name", "domain"],
  dst_endpoint: ["ip", "uid", "name", "hostname", "svc_name", "domain"],
};

const at = (event: JsonObject, path: string): JsonObject | undefined =>
  path === ""
    ? event
    : path.split(".").reduce<JsonObject | undefined>((o, key) => o?.[key] as JsonObject | undefined, event);

function eventOf(record: object): JsonObject {
  const found = readRecord(
    { file: "audit-1.jsonl", index: 4, offset: 0, bytes: Buffer.from(JSON.stringify(record)) },
    1,
  );
  if (!found) throw new Error("no record");
  return ocsfEvent(found);
}

const full = {
  version: 1,
  id: "id-1",
  time: "2026-01-02T03:04:05.678Z",
  stage: "outcome",
  type: "tool",
  operation: "execute_tool",
  runId: "run-1",
  sessionId: "s-1",
  callId: "c-1",
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  actor: { agent: "support", agentId: "a-1", onBehalfOf: "u-1" },
  target: { name: "refund", id: "call_1", provider: "p", server: "api.example.com" },
  decision: "allow",
  outcome: { status: "failed", error: { type: "RangeError", code: "ERR_X", message: "too much" } },
  content: { to: "x" },
};

describe("an OCSF event", () => {
  it.each([
    ["of the plugin", full],
    ["of its least", { type: "limit", time: full.time }],
    ["that opens a file", { type: "log", operation: "open", origin: "k/audit-1", heads: [], time: full.time }],
    ["of another program", { order: 42, actor: "me", target: 7, outcome: [], traceId: 5 }],
    ["of an agent without a name", { actor: { agentId: "a-1" } }],
  ])("has what the class requires, of a record %s", (_, record) => {
    const event = eventOf(record);
    for (const [path, members] of Object.entries(required)) {
      const object = at(event, path);
      if (object) expect(Object.keys(object)).toEqual(expect.arrayContaining([...members]));
    }
    for (const [path, members] of Object.entries(oneOf)) {
      const object = at(event, path);
      if (object) expect(members.some((name) => object[name] !== undefined)).toBe(true);
    }
    expect(event).toMatchObject({ class_uid: 6003, category_uid: 6, type_uid: 600399, metadata: { version: "1.8.0" } });
    expect(Number.isInteger(event.time)).toBe(true);
  });

  it("contains the fields of the record", () => {
    expect(eventOf(full)).toMatchObject({
      time: Date.parse(full.time),
      activity_name: "execute_tool",
      metadata: { uid: "id-1", correlation_uid: "run-1", log_name: "audit-1.jsonl", sequence: 4 },
      actor: { app_name: "support", app_uid: "a-1", user: { uid: "u-1" }, session: { uid: "s-1" } },
      api: { operation: "execute_tool", request: { uid: "c-1" }, service: { name: "p" } },
      dst_endpoint: { hostname: "api.example.com" },
      resources: [{ name: "refund", uid: "call_1", type: "tool" }],
      trace: { uid: full.traceId },
      status_id: 2,
      status_code: "ERR_X",
      status_detail: "too much",
      unmapped: { stage: "outcome", decision: "allow", spanId: full.spanId, content: { to: "x" } },
    });
  });

  it.each([
    ["completed", 1, "Success"],
    ["failed", 2, "Failure"],
    ["cancelled", 99, "cancelled"],
    ["suspended", 99, "suspended"],
    [undefined, 0, "Unknown"],
  ])("of an act that %s has the status %d", (status, status_id, text) => {
    expect(eventOf(status === undefined ? {} : { outcome: { status } })).toMatchObject({ status_id, status: text });
  });

  it("puts records that were lost above all others", () => {
    expect([eventOf({ type: "gap" }).severity_id, eventOf({ type: "tool" }).severity_id]).toEqual([4, 1]);
  });
});
