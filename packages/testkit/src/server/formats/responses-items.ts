import type { CutText, ResolvedAnswer, ResolvedToolCall } from "../resolve.js";
import { member } from "./format.js";

/** One item of the output: as a stream announces it, the events between, and as it is in the end. */
export interface OutputItem {
  readonly id: string;
  readonly added: object;
  readonly steps: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[];
  readonly done: object;
}

/** The output of the responses protocol: reasoning, then the message, then the function calls. */
export function outputItems(answer: ResolvedAnswer, body: unknown): readonly OutputItem[] {
  const asked = member(body, "include");
  const encrypted = Array.isArray(asked) && asked.includes("reasoning.encrypted_content");
  return [
    ...(answer.reasoning ? [reasoningItem(`rs_${answer.number}`, answer.reasoning, encrypted)] : []),
    ...(answer.text.whole === "" && answer.toolCalls.length > 0
      ? []
      : [messageItem(`msg_${answer.number}`, answer.text)]),
    ...answer.toolCalls.map((call, i) => functionCallItem(`fc_${answer.number}_${i + 1}`, call)),
  ];
}

function reasoningItem(id: string, text: CutText & { signature: string }, encrypted: boolean): OutputItem {
  const part = { type: "summary_text", text: text.whole };
  const at = { summary_index: 0 };
  const secret = encrypted && { encrypted_content: text.signature };
  return {
    id,
    added: { id, type: "reasoning", summary: [], ...secret },
    steps: [
      { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
      ...text.pieces.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
      { type: "response.reasoning_summary_text.done", ...at, text: text.whole },
      { type: "response.reasoning_summary_part.done", ...at, part },
    ],
    done: { id, type: "reasoning", summary: [part], ...secret },
  };
}

function messageItem(id: string, text: CutText): OutputItem {
  const part = { type: "output_text", text: text.whole, annotations: [], logprobs: [] };
  const at = { content_index: 0 };
  return {
    id,
    added: { id, type: "message", status: "in_progress", role: "assistant", content: [] },
    steps: [
      { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
      ...text.pieces.map((delta) => ({ type: "response.output_text.delta", ...at, delta, logprobs: [] })),
      { type: "response.output_text.done", ...at, text: text.whole, logprobs: [] },
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
      ...call.json.pieces.map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
      { type: "response.function_call_arguments.done", name: call.name, arguments: call.json.whole },
    ],
    done: { ...item, status: "completed", arguments: call.json.whole },
  };
}
