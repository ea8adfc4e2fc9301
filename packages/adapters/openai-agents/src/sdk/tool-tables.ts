import { type MCPServer, mcpToFunctionTool } from "@openai/agents";
import { OpenAIAgentsError } from "../errors.js";
import type { Invoke } from "../framework.js";

type Table = WeakMap<object, unknown>;

let tables: readonly Table[] | undefined;

/**
 * Makes a function that stands in for a tool's `invoke` known to the SDK as that: it keeps the parser of a tool's schema,
 * and of which MCP server the tool is, under this function. Approval policies and guardrails of tools depend on it.
 */
export function knowAs(original: Invoke, standIn: Invoke): Invoke {
  tables ??= tablesOfTools();
  for (const table of tables) if (table.has(original)) table.set(standIn, table.get(original));
  return standIn;
}

/**
 * The tables that the SDK keeps of tools, by their `invoke`. It gives them to nobody: they are seen while it makes a tool,
 * which it does in one go, so that no other code runs meanwhile.
 */
function tablesOfTools(): readonly Table[] {
  const written: [Table, object][] = [];
  const { prototype } = WeakMap;
  const { set } = prototype;
  const noting = function (this: Table, key: object, value: unknown): Table {
    written.push([this, key]);
    return set.call(this, key, value);
  };
  if (!Reflect.set(prototype, "set", noting)) {
    throw new OpenAIAgentsError(
      "ERR_OPENAI_AGENTS_RUNTIME",
      "WeakMap is frozen: what the SDK knows of its tools cannot be kept.",
    );
  }
  try {
    const inputSchema = { type: "object" as const, properties: {}, required: [], additionalProperties: false };
    const { invoke } = mcpToFunctionTool({ name: "probe", inputSchema }, { name: "probe" } as MCPServer, false);
    return [...new Set(written.flatMap(([table, key]) => (key === invoke ? [table] : [])))];
  } finally {
    prototype.set = set;
  }
}
