import { isObject } from "@suite/kit";
import { type McpClient, request, resultSchema } from "./client.js";
import { stopWith } from "./stop.js";

/** A tool as listed by a server. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** The maximum number of pages requested. A server's list may have no end. */
const mostPages = 50;

const page = resultSchema("tools/list", (value) => (isObject(value) ? value : undefined));

/**
 * Lists the tools of a server that are wanted, valid according to the protocol, and callable without a task. If two
 * have the same name, the first one counts.
 */
export async function listTools(
  client: McpClient,
  wanted: ReadonlySet<string> | undefined,
  maxTools: number,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<{ readonly tools: readonly ListedTool[]; readonly refused: number }> {
  const tools = new Map<string, ListedTool>();
  let refused = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    // Not `client.listTools()`: it compiles all output schemas, and fails for all tools if one is invalid.
    const { signal, off } = stopWith(options.signal);
    const requestOptions = { signal, timeout: options.timeout };
    const result = await request(client, { method: "tools/list", params }, page, requestOptions).finally(off);
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
  const { name, title, description, inputSchema, execution } = listed;
  if (typeof name !== "string" || name.length > 200 || !isText(title) || !isText(description)) return undefined;
  if (isObject(execution) && execution.taskSupport === "required") return undefined;
  // Any schema is accepted here, because it is sanitized later.
  return { name, title, description, inputSchema };
}

const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === "string";
