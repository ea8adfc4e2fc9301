import type { Reply, Usage } from "@suite/core";
import type { FinishReason } from "@suite/core/messages";
import type { FinishPart } from "../framework.js";

/** Returns the neutral finish reason. If the framework has no name for it, it is the provider's name. */
export function finishReasonOf({ unified, raw }: FinishPart["finishReason"]): FinishReason {
  if (unified === "tool-calls") return "tool_call";
  if (unified === "content-filter") return "content_filter";
  return unified === "other" ? (raw ?? unified) : unified;
}

export function usageOf({ inputTokens, outputTokens }: FinishPart["usage"]): { readonly usage?: Usage } {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return {};
  const { cacheRead, cacheWrite } = inputTokens;
  const { reasoning } = outputTokens;
  return {
    usage: {
      inputTokens: inputTokens.total ?? 0,
      outputTokens: outputTokens.total ?? 0,
      ...(cacheRead !== undefined && { cacheReadInputTokens: cacheRead }),
      ...(cacheWrite !== undefined && { cacheCreationInputTokens: cacheWrite }),
      ...(reasoning !== undefined && { reasoningOutputTokens: reasoning }),
    },
  };
}

/** Returns the finish fields for an answer that a layer created. */
export function finishOf({
  finishReason = "stop",
  usage,
}: Omit<Reply, "message">): Pick<FinishPart, "finishReason" | "usage"> {
  return {
    finishReason: { unified: unifiedOf(finishReason), raw: finishReason },
    usage: {
      inputTokens: {
        total: usage?.inputTokens,
        noCache: undefined,
        cacheRead: usage?.cacheReadInputTokens,
        cacheWrite: usage?.cacheCreationInputTokens,
      },
      outputTokens: { total: usage?.outputTokens, text: undefined, reasoning: usage?.reasoningOutputTokens },
    },
  };
}

const unified = new Map<FinishReason, FinishPart["finishReason"]["unified"]>([
  ["stop", "stop"],
  ["length", "length"],
  ["error", "error"],
  ["tool_call", "tool-calls"],
  ["content_filter", "content-filter"],
]);

const unifiedOf = (reason: FinishReason): FinishPart["finishReason"]["unified"] => unified.get(reason) ?? "other";
