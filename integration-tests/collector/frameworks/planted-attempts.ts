import type { Attempt, Capability, ContractTool, Decision, ModelAnswer } from "@suite/testkit";
import { everything } from "../../planted.mjs";

/** A text with one value of each kind of personal data. */
export const text = `Of ${everything}.`;

/** An attempt of a user, with personal data in everything that is said on the way. */
export interface PlantedAttempt {
  readonly needs: readonly Capability[];
  /** The attempt, without what is the same in all: input, system prompt, whether it streams. */
  readonly attempt: Pick<Attempt, "answers"> & Partial<Attempt>;
  /** The decisions with which the suspended run goes on. */
  readonly decisions?: readonly Decision[];
  readonly fails?: boolean;
}

const strings = (...names: readonly string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names,
  additionalProperties: false,
});
const tool = (name: string, more: Partial<ContractTool> = {}): ContractTool => ({
  name,
  description: `Knows ${everything}`,
  parameters: strings("of"),
  ...more,
});
const here = { execute: () => ({ people: [{ said: text }] }) };
const failing = {
  execute() {
    throw new Error(text);
  },
};

const call = (name: string, parameter = "of") => ({
  id: `call_${name}`,
  name,
  arguments: { [parameter]: text },
  chunks: 5,
});
const asks = (...toolCalls: readonly ReturnType<typeof call>[]): ModelAnswer => ({ toolCalls });
const done: ModelAnswer = { text, chunks: "characters" };
const refund = tool("refund", { ...here, needsApproval: true });
const decided = (name: string, tools: readonly ContractTool[], decision: Decision): PlantedAttempt => ({
  needs: ["tools", decision.type === "result" ? "external-tools" : "approval"],
  attempt: { tools, answers: [asks(call(name)), done] },
  decisions: [decision],
});

/** Every kind of run that frameworks have, by name. */
export const plantedAttempts: Readonly<Record<string, PlantedAttempt>> = {
  "an answer": { needs: ["model"], attempt: { answers: [done] } },
  "tools at the same time, one of which fails": {
    needs: ["tools"],
    attempt: {
      tools: [tool("look", here), tool("fail", failing)],
      answers: [asks(call("look"), call("fail")), done],
    },
  },
  "a structured answer": {
    needs: ["model", "structured-output"],
    attempt: { outputSchema: strings("of"), answers: [{ text: JSON.stringify({ of: text }), chunks: 7 }] },
  },
  "a tool that a person approves": decided("refund", [refund], { id: "call_refund", type: "approve" }),
  "a tool that a person rejects": decided("refund", [refund], { id: "call_refund", type: "reject", message: text }),
  "a tool whose arguments a person edits": {
    ...decided("refund", [refund], { id: "call_refund", type: "edit", arguments: { of: text } }),
    needs: ["tools", "approval-edit"],
  },
  "a tool that runs elsewhere": decided("ship", [tool("ship")], {
    id: "call_ship",
    type: "result",
    response: { said: text },
  }),
  "an agent that is a tool": {
    needs: ["tools", "sub-agents"],
    attempt: {
      tools: [tool("ask", { parameters: strings("prompt"), agent: { name: "inner", tools: [tool("look", here)] } })],
      answers: [asks(call("ask", "prompt")), asks(call("look")), done, done],
    },
  },
  "a model that fails": {
    needs: ["model"],
    attempt: { answers: [{ fault: { status: 400, message: text } }] },
    fails: true,
  },
  "a model that fails in the middle of its answer": {
    needs: ["model", "stream"],
    attempt: { answers: [{ text, chunks: 5, fault: { error: { textPieces: 2 }, message: text } }] },
    fails: true,
  },
};
