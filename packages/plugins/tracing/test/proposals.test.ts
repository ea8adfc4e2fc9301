import { afterEach, expect, it } from "@jest/globals";
import type { Notification } from "@suite/core";
import type { TracingOptions } from "../src/index.js";
import { Harness, redactor, spanNamed, startSdk, stopSdk, words } from "./support.js";

afterEach(stopSdk);

/** The events of the conventions' namespace that a notification becomes. */
async function proposed(notification: Notification, options: TracingOptions = { dialect: "proposed" }) {
  const exporter = startSdk();
  const harness = new Harness(options, [{ name: "guard", redactor }]);
  const run = harness.begin();
  const outcome = await harness.agent(run, async function* () {
    run.notify(notification);
    yield* words("ok");
  });
  await outcome.final();
  await run.end();
  stopSdk();
  const { events } = spanNamed(exporter.getFinishedSpans(), "invoke_agent support");
  return events.filter(({ name }) => name.startsWith("gen_ai.")).map(({ name, attributes }) => [name, attributes]);
}

const guardrail: Notification = {
  type: "guardrail",
  plugin: "pii",
  place: "tool_arguments",
  decision: "block",
  enforced: true,
  reason: "asked by ann@example.com",
  findings: { email: 2, phone: 1 },
};

it("tells a guard's decision once for each type that it found, redacted, and never a value", async () => {
  const common = {
    "gen_ai.guardrail.component.name": "pii",
    "gen_ai.guardrail.source": "tool_arguments",
    "gen_ai.guardrail.result.type": "action",
    "gen_ai.guardrail.result.value": "block",
    "gen_ai.guardrail.result.reason": "asked by [EMAIL]",
    "suite.guardrail.enforced": true,
  };
  expect(await proposed(guardrail)).toEqual([
    ["gen_ai.guardrail.result", { ...common, "gen_ai.guardrail.risk.category": "email" }],
    ["gen_ai.guardrail.result", { ...common, "gen_ai.guardrail.risk.category": "phone" }],
  ]);
});

it("adds none of these attributes by default", async () => {
  expect(await proposed(guardrail, {})).toEqual([]);
});

it.each([
  ["approved", ["allow"]],
  ["edited", ["allow"]],
  ["rejected", ["deny"]],
  ["responded", ["deny"]],
  ["expired", ["deny"]],
  ["answered", []],
] as const)("tells whether a tool may run of a call that was %s", async (decision, outcomes) => {
  const told = { type: "approval", toolCallId: "c1", toolName: "refund", decision } as const;
  const call = { "gen_ai.tool.name": "refund", "gen_ai.tool.call.id": "c1" };
  expect(await proposed(told)).toEqual(
    outcomes.map((outcome) => ["gen_ai.tool.call.decision", { ...call, "gen_ai.tool.call.decision.outcome": outcome }]),
  );
});

it("records the reason of a pause, and the resume", async () => {
  const part = (id: string) => ({ type: "tool_call", id, name: "refund", arguments: {} }) as const;
  const pending = [
    { reason: "approval", part: part("c1") },
    { reason: "external", part: part("c2") },
  ] as const;
  const pauses = [
    { "gen_ai.agent.pause.id": "c1", "gen_ai.agent.pause.reason": "human_input" },
    { "gen_ai.agent.pause.id": "c2", "gen_ai.agent.pause.reason": "external_system" },
  ];
  const call = { "gen_ai.tool.name": "refund", "gen_ai.tool.call.id": "c1" };
  expect(await proposed({ type: "suspension", pending })).toEqual([
    ["gen_ai.tool.call.decision", { ...call, "gen_ai.tool.call.decision.outcome": "require_approval" }],
    ["gen_ai.agent.paused", pauses[0]],
    ["gen_ai.agent.paused", pauses[1]],
  ]);
  expect(await proposed({ type: "resume", pending })).toEqual(pauses.map((pause) => ["gen_ai.agent.resumed", pause]));
});
