import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { isObject } from "@suite/core/options";
import { stopWith } from "./stop.js";

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** Pages of a list that are asked for: a server may have no last one. */
const mostPages = 50;

/**
 * The tools of a server: those that are wanted, are what the protocol calls a tool, and can be called without a task. Of two with
 * one name the first counts.
 */
export async function listTools(
  client: Client,
  wanted: ReadonlySet<string> | undefined,
  maxTools: number,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<{ readonly tools: readonly ListedTool[]; readonly refused: number }> {
  const tools = new Map<string, ListedTool>();
  let refused = 0;
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    // Not `client.listTools()`, which compiles what servers say of their results, and fails for all where one cannot be.
    const { signal, off } = stopWith(options.signal);
    const asked = { signal, timeout: options.timeout };
    const result = await client.request({ method: "tools/list", params }, ResultSchema, asked).finally(off);
    for (const listed of Array.isArray(result.tools) ? (result.tools as readonly unknown[]) : []) {
      const tool = toolIn(listed);
      if (tool !== undefined && wanted?.has(tool.name) === false) continue;
      if (tool === undefined || tools.has(tool.name) || tools.size >= maxTools) refused++;
      else tools.set(tool.name, tool);
    }
    const { nextCursor } = result;
    if (typeof nextCursor !== "string" || nextCursor === cursor || tools.size >= maxTools) break;
    cursor = nextCursor;
  }
  return { tools: [...tools.values()], refused };
}

function toolIn(listed: unknown): ListedTool | undefined {
  if (!isObject(listed)) return undefined;
  // Of the schema no more is asked than that it is one: what it says is made harmless anyway.
  const { success, data } = ToolSchema.safeParse({
    ...listed,
    inputSchema: { type: "object" },
    outputSchema: undefined,
  });
  if (!success || data.name.length > 200 || data.execution?.taskSupport === "required") return undefined;
  return { name: data.name, title: data.title, description: data.description, inputSchema: listed.inputSchema };
}
