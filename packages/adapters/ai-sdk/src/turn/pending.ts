import { toolCall } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import { isRecord } from "@suite/kit";
import type { ToolSet } from "ai";

/** A part of a step's content or of a stream. Both describe tool calls with the same fields. */
type PartRecord = Readonly<Record<string, unknown>>;

/** Returns the pending calls of a step: those that need an approval, and those of external tools. */
export function pendingIn(parts: readonly unknown[], tools: ToolSet | undefined): readonly Pending[] {
  const records = parts.filter(isRecord);
  if (!records.some(({ type }) => type === "tool-call")) return [];
  const of = (type: string): readonly PartRecord[] => records.filter((part) => part.type === type);
  const answered = new Set([...of("tool-result"), ...of("tool-error")].map((part) => part.toolCallId));
  const decided = new Set(of("tool-approval-response").map((part) => part.approvalId));
  const approvalRequests = of("tool-approval-request").filter((part) => !decided.has(part.approvalId));
  const waiting = new Map(
    approvalRequests.map(({ toolCall: call, reason }) => [isRecord(call) ? call.toolCallId : "", reason]),
  );
  return of("tool-call").flatMap((call): readonly Pending[] => {
    const { toolCallId: id, toolName: name, input } = call;
    if (call.providerExecuted === true || call.invalid === true || answered.has(id)) return [];
    const part = toolCall(String(id), String(name), input);
    const question = waiting.get(id);
    if (waiting.has(id)) return [{ reason: "approval", part, ...(typeof question === "string" && { question }) }];
    return tools?.[String(name)]?.execute === undefined ? [{ reason: "external", part }] : [];
  });
}
