import {
  type Answer,
  type CallId,
  CoreError,
  incomingKey,
  type Message,
  message,
  type Plugin,
  type Reply,
  type RuntimeContext,
  textOf,
  usageKey,
} from "@suite/core";
import { type Ambient, defineAdapter, PluginStack, type Run } from "@suite/core/adapter";
import { ambientStorage, settlementOf } from "@suite/core/framework";
import { any } from "@suite/core/options";
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
  /** Round the workflow, first outermost. Its agents have their own, and of these the ones that are `inSubAgents`. */
  readonly plugins?: readonly Plugin[];
  readonly description?: string;
  /** The `AsyncLocalStorage` in which agents of frameworks find the workflow that they run in. Default: that of the adapters. */
  readonly ambient?: Ambient;
}

/** The options of one run of a workflow. */
export type WorkflowRunOptions = Omit<AgentRunOptions, "settings" | "onInterrupted">;

/** The options for what runs within a workflow: hand them on to agents, and to other workflows. */
export type WithinWorkflow = Pick<AgentRunOptions, "sessionId" | "userId" | "tenantId"> & {
  readonly parent: RuntimeContext;
  readonly parentCall: CallId;
  readonly signal: AbortSignal;
};

/** The function that a workflow is. */
type Work<Input, Output> = (input: Input, within: WithinWorkflow) => Output | PromiseLike<Output>;

/**
 * Makes a workflow of a function round several agents: one run, in which theirs are. The `agent` hooks of its plugins are
 * round the whole, spans are below `invoke_workflow NAME`, and tokens add up (`usageOf`). It takes what the function takes, gives what
 * that gives, and throws what it throws. Streams are to be read inside.
 *
 * Layers see texts, messages and results of agents as they are, and all else as JSON. Where one answers in the function's
 * place, the text of its answer is given. A suspended result of an agent suspends the workflow, and is given: going on with it, in
 * another run, is up to the function.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED` if a plugin requires another hook than `agent` and is not handed on to the agents inside.
 * @throws AgentError `ERR_AGENT_OPTIONS`; in a run `ERR_AGENT_SUSPENDED_ELSEWHERE` where a layer suspends it by itself.
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
  const own = new PluginStack(plugins);
  const agent = { name, operation: "workflow", ...(description !== undefined && { description }) } as const;
  return async (input, options = {}) => {
    const checked = checkOptions("workflow", options, workflowRunChecks);
    const { incoming, parentCall, plugins: more = [], ...rest } = checked;
    checkPlugins(more);
    rest.signal?.throwIfAborted();
    const stack = stackFor(own, options);
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

/** The adapter of functions: it has a place for the call as a whole. */
const around = defineAdapter({
  name: "A workflow",
  serves: ["agent", "observe"],
  attach: (target: object) => target,
});

/** Refuses plugins that would do nothing. Those with `inSubAgents` do their work in the agents inside. */
function checkPlugins(plugins: readonly Plugin[]): void {
  try {
    around({}, plugins.filter(({ inSubAgents }) => inSubAgents !== true) as readonly Plugin[] as never);
  } catch (error) {
    if (!CoreError.is(error) || error.code !== "ERR_HOOK_NOT_SERVED") throw error;
    throw new CoreError(
      error.code,
      `${error.message} Give it to the agents and models inside. For what is recorded of the workflow, list its redactor: { name: "redactor", redactor: plugin.redactor }.`,
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
  // What no layer sees is not put into words.
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
    `A layer of the workflow ${run.agent?.name} suspends it, and a function cannot go on from there.`,
  );
}

const isSuspended = (output: unknown): boolean =>
  typeof output === "object" && output !== null && "status" in output && output.status === "suspended";

/** The output of a run: the function's own where no layer has changed its message. */
function outputFor(
  done: { readonly output: unknown; readonly answer: Answer<"agent"> } | undefined,
  made: Message,
): unknown {
  if (done === undefined) return outputOf("", made);
  const unchanged = "value" in done.answer && done.answer.value.message === made;
  return unchanged ? done.output : outputOf(done.output, made);
}

/** The input of a workflow as its layers see it. A suspended run that goes on has been said before. */
function messagesOf(input: unknown): readonly Message[] {
  if (typeof input === "string") return [message("user", input)];
  if (isMessage(input)) return [input];
  if (areMessages(input)) return input;
  if (typeof input === "object" && input !== null && "pending" in input) return [];
  const json = jsonOf(input);
  return json === undefined ? [] : [message("user", json)];
}

/** The input with what layers made of it. */
function inputOf(input: unknown, told: readonly Message[], made: readonly Message[]): unknown {
  if (made === told) return input;
  if (areMessages(input)) return made;
  const last = made.at(-1);
  if (last === undefined || told.length === 0) return input;
  if (isMessage(input)) return last;
  return typeof input === "string" ? textOf(last) : parsed(textOf(last));
}

/** The answer of a workflow as its layers see it. Tokens are told by who used them. */
function answerOf(output: unknown): Answer<"agent"> {
  if (isResult(output)) {
    if (output.status === "suspended") return { suspended: output.pending.calls.map(pendingOf) };
    return { value: { message: output.message, ...finishOf(output) } };
  }
  const text = typeof output === "string" ? output : jsonOf(output);
  return { value: { message: message("assistant", text ?? []) } };
}

/** The output with what layers made of its message. */
function outputOf(output: unknown, made: Message): unknown {
  const text = textOf(made);
  if (typeof output === "string") return text;
  return isResult(output) ? { ...output, message: made, text: finalText({ message: made }, 0) } : parsed(text);
}

const finishOf = ({ finishReason }: CompletedResult): Pick<Reply, "finishReason"> =>
  finishReason === undefined ? {} : { finishReason };

const areMessages = (value: unknown): value is readonly Message[] =>
  Array.isArray(value) && value.length > 0 && value.every(isMessage);

/** Whether a value is what an agent gave. */
function isResult(value: unknown): value is AgentResult {
  if (typeof value !== "object" || value === null || !("status" in value) || !("runId" in value)) return false;
  if (value.status === "suspended") return "pending" in value;
  return value.status === "completed" && "message" in value && isMessage(value.message);
}

/** JSON of a value; undefined where it has none. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text, or the text where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
