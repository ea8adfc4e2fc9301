import type Anthropic from "@anthropic-ai/sdk";
import type { Part } from "@suite/core";

/** The part of a block of an answer. What the neutral model lacks goes back as it came. */
export function partOf(block: Anthropic.ContentBlock): Part {
  switch (block.type) {
    case "text":
      return { type: "text", content: block.text };
    case "thinking":
      return { type: "reasoning", content: block.thinking, ...(block.signature && { signature: block.signature }) };
    case "tool_use":
      return { type: "tool_call", id: block.id, name: block.name, arguments: block.input };
    case "server_tool_use":
      return { type: "server_tool_call", id: block.id, name: block.name, serverToolCall: { ...block } };
    default:
      if ("tool_use_id" in block) {
        return { type: "server_tool_call_response", id: block.tool_use_id, serverToolCallResponse: { ...block } };
      }
      return { type: "native", value: block };
  }
}
