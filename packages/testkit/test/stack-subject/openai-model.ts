import type { Delta, Message, ModelRequest, Part, Reply } from "@suite/core";
import type OpenAI from "openai";

type Create = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

/** A model call through the real client, as core's parts and deltas. */
export async function completion(client: OpenAI, request: ModelRequest, signal: AbortSignal): Promise<Reply> {
  const answer = await client.chat.completions.create(paramsOf(request), { signal });
  const [choice] = answer.choices;
  const parts: Part[] = choice?.message.content ? [{ type: "text", content: choice.message.content }] : [];
  for (const call of choice?.message.tool_calls ?? []) {
    if (call.type === "function") {
      parts.push({
        type: "tool_call",
        id: call.id,
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments),
      });
    }
  }
  return { message: { role: "assistant", parts }, ...ending(choice?.finish_reason, answer.usage) };
}

export async function* stream(client: OpenAI, request: ModelRequest, signal: AbortSignal): AsyncGenerator<Delta, void> {
  const params = { ...paramsOf(request), stream: true as const, stream_options: { include_usage: true } };
  for await (const chunk of await client.chat.completions.create(params, { signal })) {
    const [choice] = chunk.choices;
    if (choice?.delta.content)
      yield { type: "part", at: "text", part: { type: "text", content: choice.delta.content } };
    for (const { index, id, function: piece } of choice?.delta.tool_calls ?? []) {
      const at = `tool-${index}`;
      if (id) yield { type: "part", at, part: { type: "tool_call", id, name: piece?.name ?? "", arguments: {} } };
      if (piece?.arguments) yield { type: "arguments", at, json: piece.arguments };
    }
    if (choice?.finish_reason || chunk.usage) yield { type: "finish", ...ending(choice?.finish_reason, chunk.usage) };
  }
}

const ending = (reason: string | null | undefined, usage: OpenAI.CompletionUsage | null | undefined) => ({
  ...(reason && { finishReason: reason === "tool_calls" ? "tool_call" : reason }),
  ...(usage && { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } }),
});

const paramsOf = (request: ModelRequest): Create => ({
  model: request.model,
  messages: request.messages.flatMap(messagesOf),
  ...(request.tools.length > 0 && {
    tools: request.tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, ...(description && { description }), ...(parameters && { parameters: { ...parameters } }) },
    })),
  }),
});

function messagesOf({ role, parts }: Message): Create["messages"] {
  const content = parts.map((part) => (part.type === "text" ? part.content : "")).join("");
  if (role === "system" || role === "user") return [{ role, content }];
  if (role === "assistant") {
    const calls = parts.flatMap((part) => (part.type === "tool_call" ? [part] : []));
    const toolCalls = calls.map((call) => ({
      type: "function" as const,
      id: call.id,
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }));
    return [{ role, content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) }];
  }
  return parts.flatMap((part) =>
    part.type === "tool_call_response"
      ? [{ role: "tool" as const, tool_call_id: part.id, content: JSON.stringify(part.response) }]
      : [],
  );
}
