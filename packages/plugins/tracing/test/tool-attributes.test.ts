import { afterEach, expect, it } from "@jest/globals";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import type { ExternalResultNotification, UndoNotification } from "@suite/core/contract";
import { Harness, startSdk, stopSdk, tool } from "./support.js";

afterEach(stopSdk);

/** Longer than the least limit of content. */
const input = { eur: 5, reason: "late ".repeat(100) };
const times = { handedOutAt: 1_000, returnedAt: 2_000 };
const elsewhere: ExternalResultNotification = {
  type: "external_result",
  toolCallId: "c2",
  toolName: "refund",
  arguments: input,
  outcome: "completed",
  response: { paid: true },
  ...times,
};
const undone: UndoNotification = {
  type: "undo",
  toolCallId: "c1",
  toolName: "refund",
  arguments: input,
  outcome: "completed",
  calledAt: 1_000,
  startedAt: 2_000,
  endedAt: 3_000,
};

/** A call that ran here, one that ran elsewhere, and an undo: the attributes of their spans. */
async function spans(changes: { readonly failed?: boolean; readonly limit?: number } = {}) {
  const { failed = false, limit } = changes;
  const exporter = startSdk();
  const harness = new Harness({
    content: "full",
    ...(limit !== undefined && { contentLimit: limit }),
    attributes: { "tenant.id": "acme" },
    warn: () => {},
  });
  const run = harness.begin({ userId: "user-1" });
  const called = tool("refund", () => {
    if (failed) throw Object.assign(new Error("No."), { code: "E_BANK" });
    return { paid: true };
  });
  const outcome = await harness.tool(run, called, input, undefined, "c1").catch(() => undefined);
  await outcome?.final();
  const outcomes = failed ? ({ outcome: "failed" } as const) : {};
  run.notify({ ...elsewhere, ...outcomes });
  const error = Object.assign(new Error("No."), { code: "E_BANK" });
  run.notify({ ...undone, ...outcomes, ...(failed && { error }) });
  await run.end();
  return exporter.getFinishedSpans().map(({ attributes }) => attributes);
}

const keys = (attributes: ReadableSpan["attributes"] | undefined, ...without: readonly string[]): readonly string[] =>
  Object.keys(attributes ?? {})
    .filter((key) => !without.includes(key))
    .sort();

it("a call that ran here, one that ran elsewhere and an undo have the same attributes on their spans", async () => {
  const [here, other, undo] = await spans();
  expect(keys(here)).toEqual(expect.arrayContaining(["tenant.id", "user.id", "gen_ai.conversation.id"]));
  expect(keys(other, "suite.tool.external")).toEqual(keys(here));
  const result = ["gen_ai.tool.call.result", "gen_ai.tool.call.id"];
  expect(keys(undo, "suite.tool.undo", "suite.tool.call.id")).toEqual(keys(here, ...result));
});

it("each says that content was shortened", async () => {
  for (const attributes of await spans({ limit: 256 })) expect(attributes["suite.content.truncated"]).toBe(true);
});

it("each says that the tool failed, and an undo with what", async () => {
  const types = (await spans({ failed: true })).map((attributes) => attributes["error.type"]);
  expect(types).toEqual(["E_BANK", "tool_error", "E_BANK"]);
});
