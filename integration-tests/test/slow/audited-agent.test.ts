import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { type AuditRecord, audit } from "@suite/audit";
import { definePlugin, type Notification, type Plugin, type Request } from "@suite/core";
import { spanOf } from "@suite/core/propagation";
import { pii } from "@suite/pii";
import { describeAdapter, type ModelServer, type RecordedCall, type Report, startModelServer } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { agentSubject } from "../../../packages/agent/test/subject.js";
import { call, scripted } from "../../../packages/agent/test/support.js";
import { startSdk, stopSdk } from "../../../packages/plugins/tracing/test/support.js";

// Whatever an agent does: the records are complete, in order, and name the spans of the same trace.
let server: ModelServer;
let exporter: ReturnType<typeof startSdk>;
beforeAll(async () => {
  server = await startModelServer();
  exporter = startSdk();
});
afterAll(async () => {
  stopSdk();
  await server.close();
});

let records: AuditRecord[] = [];
let told: Notification[] = [];
/** The types of records that were compared, of all scenarios. */
const met = new Set<string>();

/** Tracing, audit within it, and somebody who writes down what is notified. */
function observed(): Plugin[] {
  records = [];
  told = [];
  const [written, heard] = [records, told];
  const sink = { append: async (record: AuditRecord) => void written.push(record), close: async () => {} };
  return [
    tracing(),
    audit({ sink, policy: { content: "redacted" }, warn: () => {} }),
    definePlugin({ name: "listener", observe: (notification) => void heard.push(notification) }),
  ];
}

const operations = { agent: "invoke_agent", model: "chat", tool: "execute_tool", retrieval: "retrieval" } as const;
type Traced = keyof typeof operations;
const types = {
  agent: "agent",
  model: "model",
  tool: "tool",
  humanInput: "human_input",
  retrieval: "retrieval",
  memory: "memory",
} as const;
const typeOf = ({ call: { kind } }: RecordedCall) => (kind in types ? types[kind as keyof typeof types] : undefined);

const isOfCall = ({ type, details }: AuditRecord): boolean =>
  Object.values<string>(types).includes(type) && details?.attempt === undefined;

/** Compares what was recorded with what the outermost layer saw, then forgets it: the next leg has its own. */
function inspect({ calls, secrets }: Report): void {
  const notified = told.splice(0);
  // What is in force is told once, whichever leg comes first.
  const ofThisLeg = records.splice(0).filter(({ type }) => type !== "policy");
  const acts = calls.filter((each) => typeOf(each) !== undefined);
  const ofCalls = ofThisLeg.filter(isOfCall);
  const brief = ({ type, callId }: AuditRecord) => ({ type, callId });
  expect(ofCalls.filter(({ stage }) => stage === "intent").map(brief)).toEqual(
    acts.map((each) => ({ type: typeOf(each), callId: each.call.id })),
  );
  expect(ofCalls).toHaveLength(2 * acts.length);
  for (const each of acts) expectPair(each, ofThisLeg);
  expect(ofThisLeg.filter((record) => !isOfCall(record)).map(notice)).toEqual(
    notified.filter(isRecorded).map(noticeOf),
  );
  for (const secret of secrets) expect(JSON.stringify(ofThisLeg)).not.toContain(secret);
  for (const { type } of ofThisLeg) met.add(type);
  exporter.reset();
}

const operationOf = ({ call: { kind }, request }: RecordedCall): string =>
  kind === "memory" ? (request as Request<"memory">).operation : operations[kind as Traced];

/** A call of a tool that runs elsewhere has no span until its result is there: it is told under the agent's. */
const hasSpan = ({ call: { kind }, request }: RecordedCall): boolean =>
  kind !== "tool" || (request as Request<"tool">).tool.execute !== undefined;

/** Intent, then outcome, both with the ids of the call's own span. */
function expectPair(recorded: RecordedCall, all: readonly AuditRecord[]): void {
  const { call: which, isError } = recorded;
  const status = isError ? "failed" : recorded.status;
  const { id, kind, parent } = which;
  const pair = all.filter((record) => isOfCall(record) && record.callId === id);
  expect(pair.map(({ stage }) => stage)).toEqual(["intent", "outcome"]);
  expect(pair[1]?.outcome?.status).toBe(status);
  if (kind === "humanInput") return;
  const { traceId, spanId } = spanOf(which) ?? {};
  const span = exporter.getFinishedSpans().find((each) => each.spanContext().spanId === spanId);
  expect(span?.spanContext().traceId).toBe(traceId);
  expect(span?.attributes["gen_ai.operation.name"]).toBe(hasSpan(recorded) ? operationOf(recorded) : "invoke_agent");
  for (const record of pair) expect(record).toMatchObject({ traceId, spanId });
  expect(pair[0]?.parentCallId).toBe(parent?.id);
}

/** An attempt of a kind of call that the log does not record has no record either. */
const isRecorded = (notification: Notification): boolean =>
  notification.type !== "attempt" || notification.call.kind in types;
const notice = ({ type, callId, decision, details }: AuditRecord) =>
  details?.attempt === undefined ? { type, callId, decision } : { type: "attempt", callId };
const noticeOf = (notification: Notification) =>
  notification.type === "attempt"
    ? { type: "attempt", callId: notification.call.id }
    : { type: notification.type, callId: notification.call?.id, decision: decisionOf(notification) };
const decisionOf = (notification: Notification): string | undefined =>
  "decision" in notification
    ? notification.decision
    : notification.type === "external_result" && ["denied", "expired"].includes(notification.outcome)
      ? notification.outcome
      : undefined;

describeAdapter(
  "@suite/agent, traced and audited,",
  { ...agentSubject(() => server), plugins: observed, inspect },
  { describe, it },
);

describe("an audited agent", () => {
  const tools = [
    defineTool({ name: "look_up", execute: () => "nothing" }),
    defineTool({ name: "refund", needsApproval: true, execute: () => "refunded" }),
  ];
  const kindsOf = () => records.map(({ type, stage, outcome }) => `${type} ${outcome?.status ?? stage}`);

  it("has met in these scenarios all that they are about", () => {
    expect([...met]).toEqual(
      expect.arrayContaining([
        "agent",
        "model",
        "tool",
        "suspension",
        "resume",
        "approval",
        "external_result",
        "retrieval",
        "memory",
      ]),
    );
  });

  it("records what a guard decided, once, without what it found", async () => {
    const plugins = [...observed(), pii({ email: "redact" })];
    await createAgent({ name: "desk", model: scripted("done"), plugins }).run("I am jane@example.com.");
    const guards = records.filter(({ type }) => type === "guardrail");
    expect(guards).toMatchObject([
      { decision: "modify", target: { name: "pii" }, details: { findings: { email: 1 } } },
    ]);
    expect(JSON.stringify(records)).not.toContain("jane");
  });

  it("records that a person was asked, and what was decided", async () => {
    const model = scripted([call("c1", "refund")], "done");
    const plugins = observed();
    await createAgent({ name: "desk", model, tools, plugins, onHumanInput: () => true }).run("go");
    expect(kindsOf().filter((kind) => /human|approval/.test(kind))).toEqual([
      "human_input intent",
      "human_input completed",
      "approval outcome",
    ]);
  });

  it("records that a limit was reached", async () => {
    const model = scripted([call("c1", "look_up")], [call("c2", "look_up")], "done");
    const agent = createAgent({ name: "desk", model, tools, plugins: observed(), maxRounds: 1 });
    await agent.run("go").catch(() => {});
    expect(records.filter(({ type }) => type === "limit")).toMatchObject([{ details: { maximum: 1 } }]);
  });
});
