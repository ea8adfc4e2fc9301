import type { CallId, MemoryOperation, Plugin, RuntimeContext, Tool, ToolSteps } from "@suite/core";
import { any, callable, isOfClass, plainMembers } from "@suite/core/options";
import { type Checks, checkOptions } from "../check-options.js";
import { AgentError } from "../errors.js";
import { checkRule, type NeedsApproval } from "./approval.js";
import { type InputSchema, jsonSchemaOf, type OutputOf } from "./schema.js";

const asks: unique symbol = Symbol.for("@suite/agent/asks") as never;

/** The declaration of a tool that it works on a memory. */
export interface ToolMemory {
  readonly operation: MemoryOperation;
  readonly store?: string;
  /** The most records that a search asks for where its input does not say. */
  readonly limit?: number;
}

/** A tool of an agent. */
export interface AgentTool extends Tool {
  /** Checks the arguments before the tool sees them. Left out: `parameters` does; without either, any object passes. */
  readonly input?: InputSchema;
  /** A person decides before it runs, by a rule where one is given; a function decides from the input whether a person must. */
  readonly needsApproval?: NeedsApproval<unknown>;
  /**
   * Milliseconds after which an execution is told to stop, by its signal (`signalOf(call)`), and its call has failed. Time in
   * which a person is asked does not count. Default: the agent's `toolTimeout`.
   */
  readonly timeout?: number;
  /**
   * Says that it searches documents: for the text `query` of its input (at most `limit`, where that has one), it gives a list of
   * `{ content, id?, score?, metadata? }`. Each execution is a call of `retrieval` within the tool's, whose layers see what is
   * searched for and found.
   */
  readonly retrieval?: true | { readonly source?: string; readonly limit?: number };
  /**
   * Says that it works on a memory. Of its input, a search is for the text `query` (at most `limit`), a deletion of the record
   * `id` or of several `ids`, and what writes has `content`, with `id` and `metadata`, or several `records`. A search gives a list of
   * `{ content, id?, score?, metadata? }`. Each execution is a call of `memory` within the tool's, whose layers see what is
   * searched for, found and kept.
   */
  readonly memory?: ToolMemory;
  /** Round this tool only, inside the agent's plugins. */
  readonly plugins?: readonly Plugin[];
  /** @internal Its result is a person's answer. */
  readonly [asks]?: true;
}

/** The definition of a tool, as `defineTool` is given it. */
export interface ToolDefinition<S extends InputSchema | undefined>
  extends Omit<AgentTool, "input" | "execute" | "needsApproval"> {
  readonly input?: S;
  readonly needsApproval?: NeedsApproval<OutputOf<S>>;
  /**
   * The work of the tool. Left out: it runs elsewhere, and calling it suspends the run. An async iterable streams
   * progress, as fast as it is read; what it returns is the result, or its last value, where it returns nothing. What
   * it throws becomes a short message to the model.
   *
   * @param steps asks a person in the middle: the tool then runs again from its beginning when the answer has come.
   */
  execute?(input: OutputOf<S>, runtime: RuntimeContext, call: CallId, steps: ToolSteps): unknown;
}

/**
 * A tool, with its input typed by its schema.
 *
 * @throws AgentError `ERR_AGENT_OPTIONS` where a Standard Schema has no JSON Schema for the model, and `parameters` is not given.
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
  // A tool that is an instance of a class may have state of its own.
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

/** A tool whose result is a person's answer to the model's question. Calling it suspends the run, unless `onHumanInput` answers. */
export function askPerson(options: { readonly name?: string; readonly description?: string } = {}): AgentTool {
  options = checkOptions("askPerson", options, { name: any, description: any });
  const { name = "ask_person", description = "Asks the user a question, and gives their answer." } = options;
  return { name, description, parameters: questionSchema, input: questionSchema, [asks]: true };
}

/** Whether a tool's result is a person's answer. */
export const asksPerson = (tool: Tool): boolean => asks in tool;
