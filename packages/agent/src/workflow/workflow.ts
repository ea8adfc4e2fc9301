import {
  type CallId,
  CoreError,
  type Message,
  message,
  type Plugin,
  type Reply,
  type RuntimeContext,
  textOf,
} from "@suite/core";
import { type Ambient, type Answer, defineAdapter, PluginStack, type Run, usageKey } from "@suite/core/adapter";
import { ambientStorage, settlementOf } from "@suite/core/framework";
import { incomingKey } from "@suite/core/propagation";
import { any } from "@suite/kit/options";
import { stackFor } from "../begin.js";
import { type Checks, checkOptions } from "../check-options.js";
import { AgentError } from "../errors.js";
import { finalText, isMessage } from "../loop/history.js";
import { runChecks } from "../option-checks.js";
import type { AgentRunOptions } from "../options.js";
import { pendingOf } from "../pending/state.js";
import type { AgentResult, CompletedResult } from "../result.js";
import { within } from "../tools/inner.js";
import { ledgerOf } from "../totals/ledger.js";

/** The options of a workflow. */
export interface WorkflowOptions {
  /**
   * The plugins around the workflow, the first is the outermost. Its agents use their plugins, and those of these with
   * `inSubAgents`.
   */
  readonly plugins?: readonly Plugin[];
  /** A description of the workflow, for spans and for models that call it as a tool. */
  readonly description?: string;
  /**
   * The `AsyncLocalStorage` that agents of frameworks use to find the workflow around them. Default: the one of the
   * adapters.
   */
  readonly ambient?: Ambient;
}

/** The options of one run of a workflow. */
export type WorkflowRunOptions = Omit<AgentRunOptions, "settings" | "onInterrupted">;

/** The options for work inside a workflow. Pass them to agents and to other workflows. */
export type WithinWorkflow = Pick<AgentRunOptions, "sessionId" | "userId" | "tenantId"> & {
  readonly parent: RuntimeContext;
  readonly parentCall: CallId;
  readonly signal: AbortSignal;
};

/** The function of a workflow. */
type Work<Input, Output> = (input: Input, within: WithinWorkflow) => Output | PromiseLike<Output>;

/**
 * Turns a function that calls several agents into a workflow: one run that contains their runs. The `agent` hooks of
 * its plugins run around the whole function, spans are below `invoke_workflow NAME`, and tokens add up (`usageOf`). The
 * workflow accepts the input of the function, returns its output and throws its errors. Read streams inside the
 * function.
 *
 * Layers see strings, messages and results of agents unchanged, and everything else as JSON. If a layer answers instead
 * of the function, the text of its answer is returned. A suspended result of an agent suspends the workflow and is
 * returned. The function must resume it in another run.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED` if a plugin requires another hook than `agent` and is not passed on to the
 * agents inside.
 * @throws AgentError `ERR_AGENT_OPTIONS`. A run throws `ERR_AGENT_SUSPENDED_ELSEWHERE` if a layer suspends it.
 * @example
 * ```ts
 * const report = workflow("report", async (topic: string, within) => {
 *   const facts = await researcher.run(topic, within);
 *   return writer.run(facts.messages, within);
 * }, { plugins: [tracing(), audit()] });
 * const result = await report("Tea");
 * ```
 */
export function workflow<Input, Output>(
  name: string,
  work: Work<Input, Output>,
  options: WorkflowOptions = {},
): (input: Input, options?: WorkflowRunOptions) => Promise<Output> {
  options = checkOptions("workflow", options, {
    plugins: any,
    description: any,
    ambient: any,
  } satisfies Checks<WorkflowOptions>);
  const { plugins = [], description, ambient = ambientStorage() } = options;
  if (typeof name !== "string" || name === "") throw new AgentError("ERR_AGENT_OPTIONS", "A workflow needs a name.");
  checkPlugins(plugins);
  const workflowStack = new PluginStack(plugins);
  const agent = { name, operation: "workflow", ...(description !== undefined && { description }) } as const;
  return async (input, options = {}) => {
    const checked = checkOptions("workflow", options, workflowRunChecks);
    const { incoming, parentCall, plugins: more = [], ...rest } = checked;
    checkPlugins(more);
    rest.signal?.throwIfAborted();
    const stack = stackFor(workflowStack, options);
    const run = stack.begin({ ...rest, agent, ambient });
    if (incoming !== undefined) run.set(incomingKey, incoming);
    const ledger = ledgerOf(run);
    ledger.begin(run);
    run.set(usageKey, () => ledger.total.usage);
    try {
      return await carryOut({ run, stack, parentCall }, input, work);
    } catch (error) {
      run.failed(error);
      throw error;
    } finally {
      await run.end();
      ledger.end(false);
    }
  };
}

const { settings: _settings, onInterrupted: _onInterrupted, ...workflowRunChecks } = runChecks;

/** The adapter of functions, which serves only the hooks of the whole call. */
const around = defineAdapter({
  name: "A workflow",
  serves: ["agent", "observe"],
  attach: (target: object) => target,
});

/** Throws if a plugin would do nothing. Plugins with `inSubAgents` work in the agents inside. */
function checkPlugins(plugins: readonly Plugin[]): void {
  try {
    around({}, plugins.filter(({ inSubAgents }) => inSubAgents !== true) as readonly Plugin[] as never);
  } catch (error) {
    if (!CoreError.is(error) || error.code !== "ERR_HOOK_NOT_SERVED") throw error;
    throw new CoreError(
      error.code,
      `${error.message} Add it to the agents and models inside. To redact the records of the workflow, list only its redactor: { name: "redactor", redactor: plugin.redactor }.`,
    );
  }
}

/** The parts of a workflow's run. */
interface WorkflowRun {
  readonly run: Run;
  readonly stack: PluginStack;
  readonly parentCall: CallId | undefined;
}

async function carryOut<Input, Output>(
  { run, stack, parentCall }: WorkflowRun,
  input: Input,
  work: Work<Input, Output>,
): Promise<Output> {
  // Messages are only created if a layer reads them.
  const messages = stack.has.agent ? messagesOf(input) : [];
  let done: { readonly output: Output; readonly answer: Answer<"agent"> } | undefined;
  const outcome = await stack.call(
    "agent",
    run,
    { messages },
    async (invocation) => {
      const { call, request, runtime, signal } = invocation;
      const inner = { ...within(runtime, call), parent: runtime, parentCall: call, signal };
      const output = await work(inputOf(input, messages, request.messages) as Input, inner);
      const answer = answerOf(stack.has.agent || isSuspended(output) ? output : "");
      done = { output, answer };
      invocation.respond(answer);
    },
    parentCall,
  );
  const settlement = await settlementOf(outcome);
  if (settlement.status === "failed") throw settlement.error;
  if (settlement.status === "cancelled") throw settlement.reason;
  if (settlement.status === "completed") return outputFor(done, settlement.final.message) as Output;
  if (done !== undefined && "suspended" in done.answer) return done.output;
  throw new AgentError(
    "ERR_AGENT_SUSPENDED_ELSEWHERE",
    `A plugin suspended the workflow ${run.agent?.name}, but a function cannot be resumed.`,
  );
}

const isSuspended = (output: unknown): boolean =>
  typeof output === "object" && output !== null && "status" in output && output.status === "suspended";

/** Returns the output of a run: the output of the function if no layer changed its message. */
function outputFor(
  done: { readonly output: unknown; readonly answer: Answer<"agent"> } | undefined,
  final: Message,
): unknown {
  if (done === undefined) return outputOf("", final);
  const unchanged = "value" in done.answer && done.answer.value.message === final;
  return unchanged ? done.output : outputOf(done.output, final);
}

/** Returns the input of a workflow as its layers see it. Empty for a resumed run, whose input was seen before. */
function messagesOf(input: unknown): readonly Message[] {
  if (typeof input === "string") return [message("user", input)];
  if (isMessage(input)) return [input];
  if (areMessages(input)) return input;
  if (typeof input === "object" && input !== null && "pending" in input) return [];
  const json = jsonOf(input);
  return json === undefined ? [] : [message("user", json)];
}

/** Returns the input with the changes of the layers. */
function inputOf(input: unknown, before: readonly Message[], after: readonly Message[]): unknown {
  if (after === before) return input;
  if (areMessages(input)) return after;
  const last = after.at(-1);
  if (last === undefined || before.length === 0) return input;
  if (isMessage(input)) return last;
  return typeof input === "string" ? textOf(last) : parsed(textOf(last));
}

/** Returns the answer of a workflow as its layers see it. Without usage, which the agents report. */
function answerOf(output: unknown): Answer<"agent"> {
  if (isResult(output)) {
    if (output.status === "suspended") return { suspended: output.pending.calls.map(pendingOf) };
    return { value: { message: output.message, ...finishOf(output) } };
  }
  const text = typeof output === "string" ? output : jsonOf(output);
  return { value: { message: message("assistant", text ?? []) } };
}

/** Returns the output with the changes of the layers to its message. */
function outputOf(output: unknown, message: Message): unknown {
  const text = textOf(message);
  if (typeof output === "string") return text;
  return isResult(output) ? { ...output, message, text: finalText({ message }, 0) } : parsed(text);
}

const finishOf = ({ finishReason }: CompletedResult): Pick<Reply, "finishReason"> =>
  finishReason === undefined ? {} : { finishReason };

const areMessages = (value: unknown): value is readonly Message[] =>
  Array.isArray(value) && value.length > 0 && value.every(isMessage);

/** True if the value is the result of an agent. */
function isResult(value: unknown): value is AgentResult {
  if (typeof value !== "object" || value === null || !("status" in value) || !("runId" in value)) return false;
  if (value.status === "suspended") return "pending" in value;
  return value.status === "completed" && "message" in value && isMessage(value.message);
}

/** Returns the JSON of a value, or `undefined` if it has none. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Parses a JSON string. Returns the string if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
