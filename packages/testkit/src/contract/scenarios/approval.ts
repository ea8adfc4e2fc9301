import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario } from "../scenario.js";
import type { Decision } from "../subject.js";
import type { ExpectedCall, Trial } from "../trial.js";
import { recordingTool } from "./texts.js";

const refund = { id: "call_r", name: "refund", arguments: { order: "A-17" } };
const goesOn: readonly ExpectedCall[] = ["reasoning", "model"];

const paused = (trial: Trial): void => {
  expectEqual(trial.observed.error, undefined, "the error");
  expectEqual(
    trial.observed.pending,
    [{ id: "call_r", name: "refund", arguments: { order: "A-17" }, reason: "approval" }],
    "what the run waits for",
  );
  trial.expectCalls("agent:suspended", "reasoning", "model", "tool:suspended?");
};

/** Checks that plugins were notified once of a person's refusal of the call, and once of its result. */
function refusedOnce({ told }: Trial): void {
  const seen = told.flatMap((each) => {
    if (each.type === "approval") return [`${each.decision} ${each.toolCallId}`];
    if (each.type !== "external_result") return [];
    expectEqual(each.arguments, refund.arguments, "the arguments of the refused call");
    expectThat(each.handedOutAt <= each.returnedAt, "the call was refused before it was handed out");
    return [`${each.outcome} ${each.toolCallId}`];
  });
  expectEqual(seen, ["rejected call_r", "denied call_r"], "what plugins were told of the refusal");
}

/** Each decision of a person, with its expected effect. */
function approval(
  name: string,
  needs: readonly ("approval" | "approval-edit")[],
  decision: Decision,
  check: (inputs: readonly unknown[], trial: Trial) => void,
): readonly Scenario[] {
  return inBothModes(name, ["tools", ...needs], async (tryIt) => {
    const { tool, inputs } = recordingTool("refund", "order", () => "refunded", { needsApproval: true });
    const before = await tryIt({
      tools: [tool],
      answers: [{ toolCalls: [refund], chunks: 2 }, { text: "Done so far." }],
    });
    paused(before);
    expectEqual(inputs, [], "what the tool was called with before it was approved");
    const after = await before.resume(decision);
    check(inputs, after);
    expectEqual(after.observed.text, "Done so far.", "the text");
    expectEqual(after.observed.pending, undefined, "what the run still waits for");
    const [first, second] = [before.callsOf("agent")[0], after.callsOf("agent")[0]];
    expectEqual(second?.runtime.runId, first?.runtime.runId, "the id of the run that went on");
  });
}

/** A person is asked before a tool runs. */
export const approvals: readonly Scenario[] = [
  ...approval("a tool that a person approves", ["approval"], { id: "call_r", type: "approve" }, (inputs, trial) => {
    expectEqual(inputs, [{ order: "A-17" }], "what the tool was called with");
    expectThat(trial.observed.prompts[0]?.includes("refunded"), "the model was not sent the tool's result");
    trial.expectCalls("agent", "tool", ...goesOn);
  }),

  ...approval(
    "a tool whose arguments a person edits",
    ["approval", "approval-edit"],
    { id: "call_r", type: "edit", arguments: { order: "B-18" } },
    (inputs, trial) => {
      expectEqual(inputs, [{ order: "B-18" }], "what the tool was called with");
      trial.expectCalls("agent", "tool", ...goesOn);
    },
  ),

  ...approval(
    "a tool that a person rejects",
    ["approval"],
    { id: "call_r", type: "reject", message: "Not before Monday." },
    (inputs, trial) => {
      expectEqual(inputs, [], "what the tool was called with");
      expectThat(trial.observed.prompts[0]?.includes("Not before Monday."), "the model was not sent the reason");
      trial.expectCalls("agent", "tool:cancelled?", "tool:failed?", "tool?", ...goesOn);
      refusedOnce(trial);
    },
  ),
];
