import type { CallId, RuntimeContext, Tool } from "@suite/core";
import { isObject } from "@suite/kit";
import type { Operations } from "./operations.js";
import type { Settled } from "./plugin-options.js";
import { addTool, linesOf, searchTool } from "./prompt.js";
import type { MemoryScope } from "./store.js";

/** The memory as its tools have it. */
export interface ToolAccess {
  readonly options: Pick<Settled, "limit" | "maxCharacters">;
  readonly operations: Operations;
  /** Returns the memory of a tool's run or of an outer run, or `undefined` if it is absent. */
  ofRun(runtime: RuntimeContext): { readonly scope: MemoryScope; readonly since: number } | undefined;
  /** Reports a failure. Throws it if the reply must not continue without memory. */
  failed(runtime: RuntimeContext, call: CallId, error: unknown): void;
  notify(runtime: RuntimeContext, call: CallId, decision: string, details: Readonly<Record<string, number>>): void;
}

/** Points of one call at most, and characters of one: models write them. */
const mostPoints = 20;
const mostCharacters = 4000;

const searchParameters = {
  type: "object",
  properties: { query: { type: "string", description: "What to look for, in a few words." } },
  required: ["query"],
  additionalProperties: false,
} as const;

const addParameters = {
  type: "object",
  properties: {
    content: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      maxItems: mostPoints,
      description: "What to keep: one full sentence for each point, which can be understood by itself.",
    },
  },
  required: ["content"],
  additionalProperties: false,
} as const;

/** Creates the memory tools. The model cannot choose the user. */
export const memoryTools = (access: ToolAccess): readonly Tool[] => [
  {
    name: searchTool,
    description: "Searches the long-term memory for facts about the user from earlier conversations.",
    parameters: searchParameters,
    execute: (input, runtime, call) => search(access, input, runtime, call),
  },
  {
    name: addTool,
    description: "Stores facts about the user in the long-term memory, for later conversations.",
    parameters: addParameters,
    execute: (input, runtime, call) => add(access, input, runtime, call),
  },
];

const noMemory = "There is no memory in this conversation.";

async function search(access: ToolAccess, input: unknown, runtime: RuntimeContext, call: CallId): Promise<string> {
  const query = isObject(input) && typeof input.query === "string" ? input.query.trim() : "";
  if (query === "") return "Nothing was searched: `query` must be a string.";
  const ofRun = access.ofRun(runtime);
  if (ofRun === undefined) return noMemory;
  const { limit, maxCharacters } = access.options;
  try {
    const found = await access.operations.search(runtime, ofRun.scope, query, limit, call);
    access.notify(runtime, call, "recalled", { records: found.length });
    return found.length === 0 ? "Nothing was found." : linesOf(found, maxCharacters).join("\n");
  } catch (error) {
    access.failed(runtime, call, error);
    return "The memory could not be searched.";
  }
}

async function add(access: ToolAccess, input: unknown, runtime: RuntimeContext, call: CallId): Promise<string> {
  const texts = textsIn(isObject(input) ? input.content : undefined);
  if (texts === undefined) return refused;
  const ofRun = access.ofRun(runtime);
  if (ofRun === undefined) return noMemory;
  const { scope, since } = ofRun;
  try {
    const added = await access.operations.add(runtime, scope, texts, { parent: call, since });
    access.notify(runtime, call, added === 0 ? "not_remembered" : "remembered", { records: added });
    return added === 0 ? "Nothing was stored: the user was forgotten in the meantime." : "It is kept.";
  } catch (error) {
    access.failed(runtime, call, error);
    return "It could not be stored.";
  }
}

const refused = `Nothing was stored. \`content\` must be a list of 1 to ${mostPoints} strings of at most ${mostCharacters} characters.`;

function textsIn(value: unknown): readonly string[] | undefined {
  const texts: readonly unknown[] = typeof value === "string" ? [value] : Array.isArray(value) ? value : [];
  const fits = (each: unknown): each is string =>
    typeof each === "string" && each.trim() !== "" && each.length <= mostCharacters;
  return texts.length > 0 && texts.length <= mostPoints && texts.every(fits) ? texts : undefined;
}
