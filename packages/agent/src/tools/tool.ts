import type { CallId, Plugin, RuntimeContext, Tool } from "@suite/core";
import type { MemoryOperation, ToolSteps } from "@suite/core/contract";
import { any, callable, isOfClass, plainMembers } from "@suite/kit/options";
import { type Checks, checkOptions } from "../check-options.js";
import { AgentError } from "../errors.js";
import { checkRule, type NeedsApproval } from "./approval.js";
import { type InputSchema, jsonSchemaOf, type OutputOf } from "./schema.js";

const asks: unique symbol = Symbol.for("@suite/agent/asks") as never;

/** Declares that a tool works on a memory. */
export interface ToolMemory {
  readonly operation: MemoryOperation;
  readonly store?: string;
  /** The default limit of records for a search whose input does not set one. */
  readonly limit?: number;
}

/** A tool of an agent. */
export interface AgentTool extends Tool {
  /**
   * The schema that checks the arguments before the tool receives them. Default: `parameters`. Without either, any
   * object is accepted.
   */
  readonly input?: InputSchema;
  /**
   * Requires approval by a person before the tool runs. A rule can restrict the decisions, and a function decides from
   * the input.
   */
  readonly needsApproval?: NeedsApproval<unknown>;
  /**
   * The time in milliseconds after which an execution is stopped by its signal (`signalOf(call)`) and its call fails.
   * Waiting for a person does not count. Default: the agent's `toolTimeout`.
   */
  readonly timeout?: number;
  /**
   * Declares that the tool searches documents. Its input has a string `query` and optionally `limit`. It returns a list
   * of `{ content, id?, score?, metadata? }`. Each execution is a `retrieval` call within the tool call, whose layers
   * see the query and the documents.
   */
  readonly retrieval?: true | { readonly source?: string; readonly limit?: number };
  /**
   * Declares that the tool works on a memory. The input of a search has a string `query` and optionally `limit`. The
   * input of a deletion has `id` or a list `ids`. The input of other operations has `content` with optional `id` and
   * `metadata`, or a list `records`. A search returns a list of `{ content, id?, score?, metadata? }`. Each execution
   * is a `memory` call within the tool call, whose layers see the query and the records.
   */
  readonly memory?: ToolMemory;
  /** Plugins for this tool only, inside the agent's plugins. */
  readonly plugins?: readonly Plugin[];
  /** @internal Its result is a person's answer. */
  readonly [asks]?: true;
}

/** The definition of a tool for `defineTool`. */
export interface ToolDefinition<S extends InputSchema | undefined>
  extends Omit<AgentTool, "input" | "execute" | "needsApproval"> {
  readonly input?: S;
  readonly needsApproval?: NeedsApproval<OutputOf<S>>;
  /**
   * The function of the tool. If left out, the tool runs elsewhere and a call suspends the run. An async iterable
   * streams progress at the consumer's pace. Its return value is the result, or its last value if it returns nothing.
   * An error that it throws becomes a short message for the model.
   *
   * @param steps asks a person during the execution. When the answer has arrived, the tool runs again from its
   * beginning.
   */
  execute?(input: OutputOf<S>, runtime: RuntimeContext, call: CallId, steps: ToolSteps): unknown;
}

/**
 * Creates a tool whose input type comes from its schema.
 *
 * @throws AgentError `ERR_AGENT_OPTIONS` if a Standard Schema cannot generate JSON Schema and `parameters` is missing.
 * @example
 * ```ts
 * const weather = defineTool({
 *   name: "weather",
 *   description: "The weather in a city.",
 *   input: z.object({ city: z.string() }),
 *   execute: ({ city }) => lookUp(city),
 * });
 * ```
 */
export function defineTool<const S extends InputSchema | undefined = undefined>(
  definition: ToolDefinition<S>,
): AgentTool {
  // A tool that is an instance of a class may have more state, so it is not checked.
  if (!isOfClass(definition)) definition = checkOptions("defineTool", definition, definitionChecks);
  if (!/^[\w-]{1,64}$/.test(definition.name)) {
    throw new AgentError(
      "ERR_AGENT_OPTIONS",
      `The tool name ${JSON.stringify(definition.name)} is not 1 to 64 letters, digits, _ or -.`,
    );
  }
  const { retrieval, memory } = definition;
  if (typeof retrieval === "object") checkOptions("retrieval", retrieval, retrievalChecks);
  if (memory !== undefined) checkOptions("memory", memory, memoryChecks);
  if (typeof definition.needsApproval === "object") checkRule(definition.needsApproval, definition.name);
  const parameters = definition.parameters ?? jsonSchemaOf(definition.input, definition.name);
  return { ...plainMembers(definition), parameters } as AgentTool;
}

const retrievalChecks: Checks<Exclude<AgentTool["retrieval"], true | undefined>> = { source: any, limit: any };
const memoryChecks: Checks<ToolMemory> = { operation: any, store: any, limit: any };
const definitionChecks: Checks<AgentTool> = {
  name: any,
  description: any,
  plans: any,
  parameters: any,
  execute: callable,
  undo: any,
  input: any,
  needsApproval: any,
  timeout: any,
  retrieval: any,
  memory: any,
  plugins: any,
};

const questionSchema = {
  type: "object",
  properties: { question: { type: "string" } },
  required: ["question"],
} as const;

/**
 * Creates a tool that asks a person a question of the model and returns the answer. Calling it suspends the run, unless
 * `onHumanInput` answers.
 */
export function askPerson(options: { readonly name?: string; readonly description?: string } = {}): AgentTool {
  options = checkOptions("askPerson", options, { name: any, description: any });
  const { name = "ask_person", description = "Asks the user a question and returns the answer." } = options;
  return { name, description, parameters: questionSchema, input: questionSchema, [asks]: true };
}

/** True if the tool's result is a person's answer. */
export const asksPerson = (tool: Tool): boolean => asks in tool;
