import { type MCPServer, mcpToFunctionTool } from "@openai/agents";
import { OpenAIAgentsError } from "../errors.js";
import type { Invoke } from "../framework.js";

type Table = WeakMap<object, unknown>;

let tables: readonly Table[] | undefined;

/**
 * Registers a function that replaces a tool's `invoke` with the SDK. The SDK stores the schema parser and the MCP
 * server of a tool by this function, and approval policies and guardrails of tools depend on them.
 */
export function knowAs(original: Invoke, replacement: Invoke): Invoke {
  tables ??= tablesOfTools();
  for (const table of tables) if (table.has(original)) table.set(replacement, table.get(original));
  return replacement;
}

/**
 * Returns the SDK's internal tables whose keys are the `invoke` functions of tools. They are not exported, so they are
 * observed while the SDK creates a tool. This is synchronous, so no other code runs in the meantime.
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
      "WeakMap is frozen, so the SDK's tool data cannot be stored. Do not freeze WeakMap.",
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
