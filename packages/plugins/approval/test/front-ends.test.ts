import { describe, expect, it, jest } from "@jest/globals";
import {
  type ApprovalOptions,
  answerWith,
  approvals,
  humanInTheLoop,
  questionOf,
  type ToolRule,
} from "@suite/approval";
import { answerIn, interruptOf } from "@suite/approval/ag-ui";
import { type ElicitParams, type ElicitResult, elicitation } from "@suite/approval/mcp";
import { memoryStateStore } from "@suite/kit/store";
import fc from "fast-check";
import type { PendingApproval } from "../src/records.js";
import { codeOf, Rig } from "./support.js";

const keys = [{ id: "k", secret: "s".repeat(32) }];

/** A call that waits, with the desk that decides on it. */
async function waiting(rule: ToolRule = true, more: ApprovalOptions = {}) {
  const store = memoryStateStore();
  const asked: PendingApproval[] = [];
  const ask = (request: PendingApproval) => void asked.push(request);
  const guard = humanInTheLoop({ pay: rule }, { store, keys, ask, show: "full", ...more });
  const rig = new Rig([guard], { sessionId: "s", userId: "ada" });
  await rig.call({ eur: 10 });
  const [request] = asked;
  if (request === undefined) throw new Error("Nothing waits.");
  return { rig, desk: approvals({ store, keys }), request, question: questionOf(request) };
}

describe("questionOf", () => {
  it("returns JSON without the user, the session and the run", async () => {
    const { question, request } = await waiting({ argsSchema: { type: "object" } });
    expect(JSON.parse(JSON.stringify(question))).toEqual(question);
    expect(question).toEqual({
      ...{ id: request.id, toolName: "pay", toolCallId: "1", arguments: { eur: 10 } },
      ...{ question: "May pay run with these arguments?", decisions: ["approve", "edit", "reject", "respond"] },
      ...{ argsSchema: { type: "object" }, always: false, expiresAt: request.expiresAt },
    });
  });

  it("does not contain arguments that are hidden", async () => {
    expect((await waiting(true, { show: "none" })).question).not.toHaveProperty("arguments");
  });
});

describe("approvals().answer", () => {
  it("stores an answer in the name of the person that the server knows", async () => {
    const { rig, desk, question } = await waiting();
    const answer = JSON.parse(JSON.stringify(answerWith(question, { decision: "edit", arguments: { eur: 7 } })));
    expect(await desk.answer(answer, { by: "ann" })).toMatchObject({ id: question.id, userId: "ada" });
    await rig.call({ eur: 10 });
    expect(rig.ran).toEqual([{ eur: 7 }]);
    expect(rig.decisions.find(({ decision }) => decision === "used")?.details).toMatchObject({ by: "ann" });
  });

  it.each<[string, object]>([
    ["a name", { decision: "approve", by: "the boss" }],
    ["arguments next to an approval", { decision: "approve", arguments: { eur: 9999 } }],
    ["a response next to a rejection", { decision: "reject", response: "paid" }],
    ["always next to an edit", { decision: "edit", arguments: {}, always: true }],
    ["always, which the rule does not allow", { decision: "approve", always: true }],
    ["no decision", {}],
    ["another decision", { decision: "__proto__" }],
  ])("refuses an answer with %s, and the question stays open", async (_, given) => {
    const { desk, question } = await waiting();
    expect(await codeOf(desk.answer({ id: question.id, ...given }))).toBe("ERR_APPROVAL_NOT_ALLOWED");
    expect(await desk.decision(question.id)).toBeUndefined();
  });

  it("refuses every value that is not an answer to an open question", async () => {
    const { desk, question } = await waiting();
    const answers = fc.oneof(fc.anything(), fc.record({ id: fc.string(), decision: fc.constant("approve") }));
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        expect(await codeOf(desk.answer(answer))).toMatch(/^ERR_APPROVAL_(NOT_ALLOWED|UNKNOWN)$/);
      }),
    );
    expect(await desk.decision(question.id)).toBeUndefined();
  });

  it("takes one of many answers at the same time", async () => {
    const { desk, question } = await waiting();
    const answers = Array.from({ length: 10 }, (_, n) => codeOf(desk.answer(answerWith(question, answerOf(n)))));
    const codes = await Promise.all(answers);
    expect(codes.filter((code) => code === "ERR_APPROVAL_DECIDED")).toHaveLength(9);
  });
});

const answerOf = (n: number) => ({ decision: n % 2 === 0 ? "approve" : "reject" }) as const;

describe("approvals().questions", () => {
  it("returns the questions of a suspended run that are open", async () => {
    const { desk, question } = await waiting();
    const call = { id: "1", reason: "approval", digest: question.id };
    const pending = { calls: [call, { ...call, digest: "none" }, { ...call, reason: "external" }] };
    expect(await desk.questions(pending)).toEqual([question]);
    await desk.answer(answerWith(question, { decision: "approve" }));
    expect(await desk.questions(pending)).toEqual([]);
  });
});

describe("an interrupt of AG-UI", () => {
  it("has the id of its question and the schema of its answers", async () => {
    const argsSchema = { type: "object", properties: { eur: { type: "number" } } };
    const { question } = await waiting({ allowedDecisions: ["approve", "edit"], argsSchema, always: true });
    expect(interruptOf(question)).toMatchObject({
      ...{ id: question.id, reason: "tool_approval", toolCallId: "1", metadata: { question } },
      ...{ message: question.question, expiresAt: new Date(question.expiresAt).toISOString() },
      responseSchema: {
        type: "object",
        properties: { decision: { enum: ["approve", "edit"] }, always: { type: "boolean" }, arguments: argsSchema },
        required: ["decision"],
      },
    });
  });

  it("is answered by its own payload only", () => {
    const entry = { interruptId: "a", status: "resolved", payload: { decision: "approve" } } as const;
    expect(answerIn(entry)).toEqual({ id: "a", decision: "approve" });
    expect(answerIn({ ...entry, payload: { ...entry.payload, id: "a" } })).toEqual({ id: "a", decision: "approve" });
    expect(answerIn({ ...entry, status: "cancelled" })).toBeUndefined();
    for (const other of [
      { ...entry, payload: { decision: "approve", id: "b" } },
      { ...entry, payload: true },
      null,
      {},
    ])
      expect(() => answerIn(other as never)).toThrow(expect.objectContaining({ code: "ERR_APPROVAL_NOT_ALLOWED" }));
  });
});

describe("elicitation", () => {
  /** A guarded call whose person fills in a form of MCP. */
  async function filled(fill: (params: ElicitParams) => ElicitResult | Promise<ElicitResult>, rule: ToolRule = true) {
    const forms: ElicitParams[] = [];
    const elicit = async (params: ElicitParams) => {
      forms.push(params);
      return fill(params);
    };
    const guard = humanInTheLoop({ pay: rule }, { store: memoryStateStore(), ask: elicitation(elicit, { by: "ann" }) });
    const rig = new Rig([guard]);
    const became = await rig.call({ eur: 10 });
    return { became, ran: rig.ran, forms };
  }
  const accept =
    (fields: Record<string, unknown>) =>
    ({ requestedSchema }: ElicitParams): ElicitResult => ({
      action: "accept",
      content: { request: (requestedSchema.properties.request as unknown as { enum: [string] }).enum[0], ...fields },
    });

  it.each<[string, Record<string, unknown>, string, unknown[]]>([
    ["approves", { decision: "approve", arguments: "", message: "" }, "ran", [{ eur: 10 }]],
    ["edits", { decision: "edit", arguments: '{"eur":7}' }, "ran", [{ eur: 7 }]],
    ["rejects", { decision: "reject", message: "Too much." }, "rejected: Too much.", []],
    ["responds", { decision: "respond", response: "Paid by hand." }, 'responded: "Paid by hand."', []],
  ])("takes a form that %s", async (_, fields, expected, ran) => {
    const end = await filled(accept(fields));
    expect([end.became, end.ran]).toEqual([expected, ran]);
  });

  it("shows the question, the tool and the arguments, and the fields of the decisions that are allowed", async () => {
    const { forms } = await filled(() => ({ action: "cancel" }), { allowedDecisions: ["approve", "reject"] });
    expect(forms[0]?.message).toBe('May pay run with these arguments?\n\npay {\n  "eur": 10\n}');
    expect(Object.keys(forms[0]?.requestedSchema.properties ?? {})).toEqual(["request", "decision", "message"]);
  });

  it("rejects the call if the person declines", async () => {
    expect((await filled(() => ({ action: "decline" }))).became).toMatch(/^rejected/);
  });

  it.each<[string, (params: ElicitParams) => ElicitResult]>([
    ["is cancelled", () => ({ action: "cancel" })],
    ["has no content", () => ({ action: "accept" })],
    [
      "is for another request",
      (params) => ({ ...accept({ decision: "approve" })(params), content: { request: "x", decision: "approve" } }),
    ],
    ["edits with text that is not JSON", accept({ decision: "edit", arguments: "{" })],
    ["approves other arguments", accept({ decision: "approve", arguments: '{"eur":9999}' })],
  ])("lets the call wait if the form %s", async (_, fill) => {
    const { became, ran } = await filled(fill);
    expect(became).toMatch(/^waits/);
    expect(ran).toEqual([]);
  });

  it("ends with the question: the request to the client has its time", async () => {
    const elicit = jest.fn(async (_: ElicitParams, __: { readonly timeout: number }) => ({
      action: "cancel" as const,
    }));
    const guard = humanInTheLoop(
      { pay: true },
      { store: memoryStateStore(), ask: elicitation(elicit), expiresIn: 5000 },
    );
    await new Rig([guard]).call({});
    expect(elicit.mock.calls[0]?.[1].timeout).toBeGreaterThan(4000);
    expect(elicit.mock.calls[0]?.[1].timeout).toBeLessThanOrEqual(5000);
  });

  it.each([
    [undefined, {}],
    [() => {}, { by: 1 }],
    [() => {}, { to: "x" }],
    [() => {}, null],
  ])("refuses the options %p, %j", (elicit, options) => {
    const made = () => elicitation(elicit as never, options as never);
    expect(made).toThrow(expect.objectContaining({ code: "ERR_APPROVAL_OPTION" }));
  });
});
