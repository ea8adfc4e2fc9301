import {
  type Awaitable,
  type CallId,
  definePlugin,
  type Invocation,
  type ModelRequest,
  message,
  type Plugin,
  type RuntimeContext,
  type Tool,
  toolCallsOf,
} from "@suite/core";
import { callable, common, count } from "@suite/kit/options";
import { isFinal } from "./failure.js";
import { checkOptions, type ResilienceOptions } from "./options.js";
import { problemWith } from "./repair/arguments.js";
import { mending } from "./repair/calls.js";
import { type ToolFilter, toolFilter } from "./tool-failure.js";

/** A tool call with invalid arguments. */
export interface BrokenCall {
  readonly id: string;
  readonly tool: Tool;
  /** The arguments as the model wrote them: a string if they are not JSON. */
  readonly arguments: unknown;
  /** A short description of the problem. */
  readonly problem: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** Repairs arguments. Returns `undefined` if it cannot. */
export type RepairArguments = (
  call: BrokenCall,
  context: { readonly request: ModelRequest; readonly runtime: RuntimeContext; readonly signal: AbortSignal },
) => Awaitable<unknown>;

/** The options of `repairToolCall`. */
export interface RepairToolCallOptions extends ResilienceOptions {
  /** The maximum number of attempts to repair one call. Default: 2. */
  readonly maxAttempts?: number;
  /** The names of the tools whose calls are repaired. Default: all tools of the request. */
  readonly tools?: Extract<ToolFilter, readonly string[]>;
  /** Repairs the arguments. Default: asks the run's model (`runtime.ask`), which may call only that tool. */
  readonly repair?: RepairArguments;
}

/** The maximum number of characters of the invalid arguments that the model is shown. */
const maxQuoted = 4000;

/**
 * Repairs tool calls whose arguments are not JSON or do not match the tool's schema, before the framework receives
 * them: the model is asked for that call again. Calls that are valid or cannot be repaired pass unchanged.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * repairToolCall({ maxAttempts: 2 });
 * ```
 */
export function repairToolCall(options: RepairToolCallOptions = {}): Plugin {
  const names = (value: unknown) => (typeof value === "function" ? "a list of names" : toolFilter(value));
  options = checkOptions("repairToolCall", options, { ...common, maxAttempts: count, tools: names, repair: callable });
  const { name = "repairToolCall", mode = "enforce", maxAttempts = 2 } = options;
  const selected = options.tools && new Set(options.tools);
  const enforced = mode === "enforce";

  return definePlugin({
    name,
    settings: { mode, maxAttempts },
    async model(invocation, callNext) {
      await callNext();
      const { request, runtime, call } = invocation;
      const tools = request.tools.filter((tool) => selected === undefined || selected.has(tool.name));
      if (request.purpose !== undefined || tools.length === 0) return;

      const repair = options.repair ?? repairByModel(call);
      const notify = (decision: string, place: string, attempts: number): void =>
        runtime.notify({ type: "decision", plugin: name, decision, enforced, call, place, details: { attempts } });

      invocation.pipe(
        mending(async (part) => {
          const tool = tools.find((each) => each.name === part.name);
          let problem = tool && (await problemWith(tool, part.arguments));
          if (tool === undefined || problem === undefined) return undefined;
          if (!enforced) return void notify("repair", tool.name, 0);
          let currentArguments: unknown = part.arguments;
          for (let attempt = 1; attempt <= maxAttempts; attempt++) {
            const broken = { id: part.id, tool, arguments: currentArguments, problem, attempt };
            const mended = await attemptAt(repair, broken, invocation);
            if (mended === undefined) break;
            problem = await problemWith(tool, mended);
            if (problem === undefined) {
              notify("repaired", tool.name, attempt);
              return { arguments: mended };
            }
            currentArguments = mended;
          }
          notify("not_repaired", tool.name, maxAttempts);
          return undefined;
        }),
      );
    },
  });
}

/** Makes one attempt. Intentional stops of the run are rethrown; for any other error, returns `undefined`. */
async function attemptAt(
  repair: RepairArguments,
  broken: BrokenCall,
  { request, runtime, signal }: Invocation<"model">,
): Promise<unknown> {
  try {
    return await repair(broken, { request, runtime, signal });
  } catch (error) {
    if (isFinal(error, signal)) throw error;
    return undefined;
  }
}

/** Returns a repair function that asks the model for one call of the tool, as a child of the given model call. */
const repairByModel =
  (parent: CallId): RepairArguments =>
  async ({ tool, arguments: args, problem }, { request, runtime }) => {
    const quoted = (typeof args === "string" ? args : (JSON.stringify(args) ?? "")).slice(0, maxQuoted);
    const why = `Your call of ${tool.name} could not be used: its arguments are invalid (${problem}). They were:\n${quoted}\nCall ${tool.name} again, once, with corrected arguments.`;
    const repairRequest = {
      messages: [...request.messages, message("user", why)],
      tools: [tool],
      toolChoice: { name: tool.name },
    };
    const reply = await runtime.ask?.(repairRequest, { parent, purpose: "repair_tool_call" });
    return reply && toolCallsOf(reply.message).find(({ name }) => name === tool.name)?.arguments;
  };
