import type { CutText, ResolvedAnswer, ResolvedToolCall } from "../resolve.js";
import { deltasOf, member } from "./format.js";

/** One item of the output: as a stream announces it, the events between, and its final form. */
export interface OutputItem {
  readonly id: string;
  readonly added: object;
  readonly steps: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[];
  readonly done: object;
}

/** The output of the responses protocol: one item for each part. */
export function outputItems(answer: ResolvedAnswer, body: unknown): readonly OutputItem[] {
  const include = member(body, "include");
  const encrypted = Array.isArray(include) && include.includes("reasoning.encrypted_content");
  const { number } = answer;
  const counts = { text: 0, reasoning: 0, tool_call: 0 };
  return answer.parts.map((part) => {
    const count = ++counts[part.type];
    const id = count > 1 ? `${number}_${count}` : `${number}`;
    if (part.type === "text") return messageItem(`msg_${id}`, part);
    if (part.type === "reasoning") return reasoningItem(`rs_${id}`, part, encrypted);
    return functionCallItem(`fc_${number}_${count}`, part);
  });
}

function reasoningItem(id: string, text: CutText & { signature: string }, encrypted: boolean): OutputItem {
  const part = { type: "summary_text", text: text.full };
  const at = { summary_index: 0 };
  const secret = encrypted && { encrypted_content: text.signature };
  return {
    id,
    added: { id, type: "reasoning", summary: [], ...secret },
    steps: [
      { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
      ...deltasOf(text).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
      { type: "response.reasoning_summary_text.done", ...at, text: text.full },
      { type: "response.reasoning_summary_part.done", ...at, part },
    ],
    done: { id, type: "reasoning", summary: [part], ...secret },
  };
}

function messageItem(id: string, text: CutText): OutputItem {
  const part = { type: "output_text", text: text.full, annotations: [], logprobs: [] };
  const at = { content_index: 0 };
  return {
    id,
    added: { id, type: "message", status: "in_progress", role: "assistant", content: [] },
    steps: [
      { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
      ...deltasOf(text).map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
      { type: "response.output_text.done", ...at, text: text.full, logprobs: [] },
      { type: "response.content_part.done", ...at, part },
    ],
    done: { id, type: "message", status: "completed", role: "assistant", content: [part] },
  };
}

function functionCallItem(id: string, call: ResolvedToolCall): OutputItem {
  const item = { id, type: "function_call", call_id: call.id, name: call.name };
  return {
    id,
    added: { ...item, status: "in_progress", arguments: "" },
    steps: [
      ...deltasOf(call.json).map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
      { type: "response.function_call_arguments.done", name: call.name, arguments: call.json.full },
    ],
    done: { ...item, status: "completed", arguments: call.json.full },
  };
}
