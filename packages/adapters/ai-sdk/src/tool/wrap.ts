import type { Tool } from "@suite/core";
import type { ToolSet } from "ai";
import { jsonSchema } from "ai";
import { AiSdkError } from "../errors.js";
import type { UserTool } from "../framework.js";
import type { Turn } from "../turn/turn.js";
import { questionByRule } from "./approval.js";
import { answerExternalTool } from "./external.js";
import { isAsyncIterable, lastOf, runTool } from "./run.js";
import { isToolSearch, searchesIn, withoutMarks } from "./search.js";

interface ExecuteOptions {
  readonly toolCallId: string;
}

/** Functions `execute` that returned a stream although they are not generator functions. */
const streaming = new WeakSet<object>();
const AsyncGeneratorFunction = Object.getPrototypeOf(async function* () {}).constructor;

/**
 * Returns copies of the tools for one turn. Each of their calls passes through the layers.
 *
 * @param active returns the names of the active tools of the current step, or `undefined` if all are active
 */
export function wrapTools(
  tools: ToolSet,
  turn: Turn,
  active: () => readonly string[] | undefined = () => undefined,
): ToolSet {
  const searches = Object.values(tools).some(isToolSearch) && goThroughLayers(turn);
  const wrapped: ToolSet = {};
  for (const [name, tool] of Object.entries(tools)) {
    const copied = searches && Reflect.get(tool, "deferLoading") === true ? copyOf(tool, name, turn) : tool;
    wrapped[name] = wrapTool(
      name,
      searches && isToolSearch(tool) ? searching(tool, wrapped, active, name, turn) : copied,
      turn,
    );
  }
  return wrapped;
}

/** Returns a copy of a tool that `toolSearch()` created, with an `execute` that layers can wrap. */
function searching(
  tool: UserTool,
  tools: ToolSet,
  active: () => readonly string[] | undefined,
  name: string,
  turn: Turn,
): UserTool {
  if (Object.hasOwn(turn.settings.experimental_toolCallers ?? {}, name)) {
    throw new AiSdkError(
      "ERR_AI_SDK_UNSUPPORTED",
      `The tool ${name} of toolSearch() is called by other tools, so plugins would not see its calls. Remove it from experimental_toolCallers, or use toolSearch of @suite/context.`,
    );
  }
  const copy = withoutMarks(copyOf(tool, name, turn));
  return Object.assign(copy, { execute: searchesIn(tool, tools, active) });
}

/**
 * Returns true if calls of tools pass through layers. They run within the call of the agent layers, after these have
 * called the framework. A layer that decides in place of a person decides on the call, too.
 */
const goThroughLayers = ({ stack: { has } }: Turn): boolean => has.tool || has.agent || has.approval || has.humanInput;

function wrapTool(name: string, tool: UserTool, turn: Turn): UserTool {
  const { needsApproval } = tool;
  const { has } = turn.stack;
  const runs = goThroughLayers(turn);
  const mayAskPerson = has.approval || (needsApproval !== undefined && has.humanInput);
  if ((tool.type === "provider" && tool.execute === undefined) || !(runs || mayAskPerson)) return tool;
  const copy = copyOf(tool, name, turn);
  if (tool.execute !== undefined) {
    if (runs) Object.assign(copy, { execute: executing(describedTool(name, tool), tool, tool.execute, turn) });
  } else if (has.tool) answerExternalTool(copy, name, turn);
  if (mayAskPerson) {
    copy.needsApproval = async (input: unknown, options: ExecuteOptions) => {
      const due: unknown =
        typeof needsApproval === "function"
          ? await needsApproval.call(tool, input as never, options as never)
          : needsApproval;
      const call = { id: options.toolCallId, tool: describedTool(name, tool), input };
      return (await questionByRule(turn, call, due === true)) !== undefined;
    };
  }
  return copy;
}

/**
 * A tool of major 7 that calls other tools in its code. `bind` creates the tool of a step, which also passes through
 * the layers.
 */
interface ToolCaller {
  readonly type: string;
  bind?(tools: ToolSet): UserTool;
}

function copyOf(tool: UserTool & { experimental_toolCaller?: ToolCaller }, name: string, turn: Turn): UserTool {
  const copy: UserTool = Object.assign(Object.create(Object.getPrototypeOf(tool)), tool);
  // A spread does not copy it.
  const { experimental_toolCaller: caller } = tool;
  if (caller === undefined) return copy;
  const bind = (tools: ToolSet): UserTool => wrapTool(name, caller.bind?.(tools) as UserTool, turn);
  const value = caller.bind === undefined ? caller : { ...caller, bind };
  return Object.defineProperty(copy, "experimental_toolCaller", { value });
}

/** Returns the tool as the layers see it. `execute` indicates that the tool runs here, and not elsewhere. */
export const describedTool = (name: string, { description }: Partial<Pick<UserTool, "description">>): Tool => ({
  name,
  ...(typeof description === "string" && { description }),
  execute() {
    throw new AiSdkError(
      "ERR_AI_SDK_UNSUPPORTED",
      `A plugin ran ${name} directly. Call callNext() so that the framework runs it.`,
    );
  },
});

/**
 * Returns the tool's `execute` through the layers. It keeps returning a stream if the tool streams: an async wrapper
 * would make the stream object the result.
 */
function executing(
  described: Tool,
  tool: UserTool,
  execute: NonNullable<UserTool["execute"]>,
  turn: Turn,
): UserTool["execute"] {
  const call = (input: unknown, options: ExecuteOptions): AsyncIterable<unknown> =>
    runTool(turn, { id: options.toolCallId, tool: described, input }, (finalInput) => {
      const result: unknown = execute.call(tool, finalInput as never, options as never);
      if (isAsyncIterable(result)) streaming.add(execute);
      return result;
    });
  const streams = execute instanceof AsyncGeneratorFunction;
  return (input: unknown, options: ExecuteOptions) => {
    const values = call(input, options);
    return (streams || streaming.has(execute) ? values : lastOf(values)) as never;
  };
}

/** Returns the plugins' tools in the framework's form. */
export async function pluginTools(turn: Turn): Promise<ToolSet> {
  const offered = await turn.stack.tools(turn.run);
  return Object.fromEntries(
    offered.map((tool) => {
      const { name, description, parameters = { type: "object" }, execute } = tool;
      const definition = {
        ...(description !== undefined && { description }),
        inputSchema: jsonSchema(parameters as object),
        ...(execute !== undefined && {
          execute: (input: unknown) => execute.call(tool, input, turn.run, turn.call as never),
        }),
      };
      return [name, definition as UserTool];
    }),
  );
}
