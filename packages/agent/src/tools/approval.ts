import type { Awaitable, RuntimeContext } from "@suite/core";
import type { ApprovalDecision, ApprovalRule } from "@suite/core/contract";
import { any } from "@suite/kit/options";
import { type Checks, checkOptions } from "../check-options.js";
import { AgentError } from "../errors.js";

/** The question and the allowed decisions of a tool's approval. */
type ToolRule = Omit<ApprovalRule, "id">;

/** The approval rule of a tool: a boolean, a rule, or a function that decides from the input. */
export type NeedsApproval<Input> =
  | boolean
  | ToolRule
  | ((input: Input, runtime: RuntimeContext) => Awaitable<boolean | ToolRule>);

/**
 * A person's answer to a request for approval: `true`, an edit, `false`, a rejection with a message for the model, or a
 * result that replaces the tool's.
 */
export type Approval =
  | boolean
  | { readonly approve: true; readonly tool?: string; readonly arguments?: unknown; readonly by?: string }
  | { readonly approve: false; readonly message?: string; readonly by?: string }
  | { readonly respond: unknown; readonly by?: string };

/** An approval with its decision as a word. */
export type Decided = { readonly by?: string | undefined } & (
  | { readonly decision: "approve" }
  | { readonly decision: "edit"; readonly tool?: string | undefined; readonly arguments?: unknown }
  | { readonly decision: "reject"; readonly message?: string | undefined }
  | { readonly decision: "respond"; readonly response: unknown }
);

/** Converts a person's answer to a decision. An invalid answer rejects: only an explicit approval approves. */
export function decidedBy(answer: unknown): Decided {
  if (answer === true) return { decision: "approve" };
  if (typeof answer !== "object" || answer === null) return { decision: "reject" };
  const fields = answer as Partial<Record<"approve" | "tool" | "arguments" | "message" | "respond" | "by", unknown>>;
  const by = textOr(fields.by);
  if (fields.approve === true) {
    if (fields.tool === undefined && fields.arguments === undefined) return { decision: "approve", by };
    if (fields.tool !== undefined && typeof fields.tool !== "string") return { decision: "reject", by };
    return { decision: "edit", tool: fields.tool, arguments: fields.arguments, by };
  }
  if (fields.approve === undefined && fields.respond !== undefined) {
    return { decision: "respond", response: fields.respond, by };
  }
  return { decision: "reject", message: textOr(fields.message), by };
}

const textOr = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns the approval rule for a call, or `undefined` if it needs no approval. */
export async function ruleFor(
  { needsApproval, name }: { readonly name: string; readonly needsApproval?: NeedsApproval<unknown> },
  value: unknown,
  runtime: RuntimeContext,
): Promise<ApprovalRule | undefined> {
  const needs = typeof needsApproval === "function" ? await needsApproval(value, runtime) : needsApproval;
  if (needs === undefined || needs === false) return undefined;
  if (typeof needs !== "object" || needs === null) return needs === true ? {} : undefined;
  return checkRule(needs, name);
}

const words: readonly unknown[] = ["approve", "edit", "reject", "respond"] satisfies readonly ApprovalDecision[];

/** True if the value is a list of approval decisions. */
export const areDecisions = (value: unknown): value is readonly ApprovalDecision[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => words.includes(each));

const ruleChecks: Checks<ToolRule> = { question: any, decisions: any };

/** @throws AgentError `ERR_AGENT_OPTIONS` if no decision satisfies the rule, because the call would wait forever. */
export function checkRule(rule: ToolRule, name: string): ToolRule {
  rule = checkOptions("needsApproval", rule, ruleChecks);
  if (rule.decisions === undefined || areDecisions(rule.decisions)) return rule;
  throw new AgentError(
    "ERR_AGENT_OPTIONS",
    `needsApproval of the tool ${name}: decisions must be a list of one or more of ${words.join(", ")}.`,
  );
}
