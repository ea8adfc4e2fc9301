import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** A result as the text that a model is given. Where there is none, the structured content stands for it. */
export function textOfResult({ content, structuredContent }: CallToolResult, maxCharacters: number): string {
  const texts: string[] = [];
  let left = maxCharacters;
  let missing = 0;
  const shown =
    content.length > 0 || structuredContent === undefined ? content.map(textOf) : [JSON.stringify(structuredContent)];
  for (const text of shown) {
    texts.push(text.slice(0, left).replace(/[\ud800-\udbff]$/, ""));
    missing += Math.max(0, text.length - left);
    left = Math.max(0, left - text.length);
  }
  const whole = texts.filter((text) => text !== "").join("\n");
  return missing === 0 ? whole : `${whole}\n[… ${missing} and more characters are left out here]`;
}

function textOf(block: CallToolResult["content"][number]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[a resource of ${block.resource.mimeType ?? "no type"}]`;
    case "resource_link":
      return `[a link to a resource: ${block.uri}]`;
    default:
      return `[${block.type} of ${block.mimeType}]`;
  }
}
