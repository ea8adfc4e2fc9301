import type { Plugin } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import type { AgentInfo } from "@suite/core/contract";
import { any, callable, either, flag, oneOf, plainMembers } from "@suite/kit/options";
import { type Checks, checkOptions } from "./check-options.js";
import { AgentError } from "./errors.js";
import { agentChecks, runChecks } from "./option-checks.js";
import type { AgentInput, AgentOptions, AgentRunOptions } from "./options.js";
import { Resuming } from "./pending/resuming.js";
import type { PendingState } from "./pending/state.js";
import type { AgentResult } from "./result.js";
import { expirePending } from "./resume/expire.js";
import type { AgentRun } from "./run/run.js";
import { startRun } from "./run/start.js";
import { AgentStream } from "./run/stream.js";
import { type AsToolOptions, innerTool } from "./tools/inner.js";
import { type InputSchema, type JsonSchema, type OutputOf, outputJsonSchemaOf } from "./tools/schema.js";
import { toolsByName } from "./tools/table.js";
import { checkTimeout } from "./tools/time-limit.js";
import type { AgentTool } from "./tools/tool.js";

/**
 * An agent: a model, its tools and the plugins around them. It holds no state of a run, so one agent can serve many
 * runs at once.
 */
export class Agent<Output = unknown> {
  readonly name: string;
  readonly options: AgentOptions;
  readonly stack: PluginStack;
  /** @internal */
  readonly resuming: Resuming;
  /** @internal */
  readonly info: AgentInfo;
  /** @internal The output schema as the model receives it. */
  readonly outputSchema: JsonSchema | undefined;

  /** Use `createAgent`. */
  constructor(options: AgentOptions) {
    if (typeof options !== "object" || options === null) {
      throw new AgentError("ERR_AGENT_OPTIONS", "createAgent() takes an object: { name, model, tools, … }.");
    }
    options = checkOptions("createAgent", options, agentChecks);
    const { name, id, description, version, operation, maxRounds = 16 } = options;
    if (typeof name !== "string" || name === "") throw new AgentError("ERR_AGENT_OPTIONS", "An agent needs a name.");
    if (typeof options.model?.generate !== "function") {
      throw new AgentError("ERR_AGENT_OPTIONS", `Agent ${name} needs a model, as from openai("…") or anthropic("…").`);
    }
    if (!Number.isInteger(maxRounds) || maxRounds < 1) {
      throw new AgentError("ERR_AGENT_OPTIONS", `maxRounds of agent ${name} must be an integer of at least 1.`);
    }
    checkParallel(options);
    if (options.stopWhen !== undefined && typeof options.stopWhen !== "function") {
      throw new AgentError("ERR_AGENT_OPTIONS", `stopWhen of agent ${name} must be a function of a round.`);
    }
    checkTimeout(options.toolTimeout, `toolTimeout of agent ${name}`);
    this.name = name;
    this.options = options;
    this.stack = new PluginStack(options.plugins ?? []);
    this.resuming = new Resuming(options.resume);
    toolsByName(options.tools ?? [], this.stack.plugins);
    const { outputSchema } = options;
    this.outputSchema = outputSchema === undefined ? undefined : outputJsonSchemaOf(outputSchema);
    this.info = {
      name,
      ...(id !== undefined && { id }),
      ...(description !== undefined && { description }),
      ...(version !== undefined && { version }),
      ...(operation !== undefined && { operation }),
    };
  }

  /**
   * Runs the agent and returns its result. The model is called without streaming.
   *
   * @throws AgentError for errors of the agent itself. Errors of the model and of plugins are thrown unchanged. An
   * error of a tool is sent to the model as a short message.
   * @example
   * ```ts
   * const result = await agent.run("Where is my order?");
   * if (result.status === "completed") console.log(result.text);
   * ```
   */
  async run(input: AgentInput, options: AgentRunOptions = {}): Promise<AgentResult<Output>> {
    const run = await this.start(input, options, false);
    return run.result() as Promise<AgentResult<Output>>;
  }

  /**
   * Runs the agent and returns a stream of deltas. The run starts when the stream is first read.
   *
   * @example
   * ```ts
   * const stream = agent.stream("Where is my order?");
   * for await (const text of stream.text()) process.stdout.write(text);
   * const result = await stream.result;
   * ```
   */
  stream(input: AgentInput, options: AgentRunOptions = {}): AgentStream<Output> {
    return new AgentStream(() => this.start(input, options, true));
  }

  /**
   * Ends a suspended run that was not resumed in time, for a job that checks stored states. Reports each waiting call
   * as expired to the plugins and marks the state as used. A resume that comes too late does the same before it is
   * refused. Share `resume.store` with the processes that resume runs, and call this within a week after the state
   * expired.
   *
   * @returns false if the state was resumed or expired before. Nothing is reported then.
   * @throws AgentError `ERR_AGENT_PENDING_NOT_EXPIRED` while the state can be resumed, `ERR_AGENT_PENDING_EXPIRED`
   * after that week, `ERR_AGENT_PENDING_INVALID` or `ERR_AGENT_PENDING_SIGNATURE` for a state that this agent did not
   * create.
   */
  async expire(pending: PendingState, options: Pick<AgentRunOptions, "plugins"> = {}): Promise<boolean> {
    options = checkOptions("expire", options, { plugins: runChecks.plugins });
    return expirePending(this, pending, options);
  }

  /**
   * Returns a tool that runs this agent inside another agent. Its input is a `prompt`, and its run is part of the
   * caller's run. If this agent waits for a person or another system, the caller's run is suspended. Resuming that run
   * resumes this one.
   *
   * @example
   * ```ts
   * const draft = writer.asTool({ description: "Writes a draft.", progress: true });
   * const editor = createAgent({ name: "editor", model, tools: [draft] });
   * ```
   */
  asTool(tool: AsToolOptions): AgentTool {
    const { name = this.name, ...options } = checkOptions("asTool", tool, toolChecks);
    return innerTool(this, name, options);
  }

  /**
   * Returns a tool that hands the conversation of another agent to this one. This agent receives the text of the
   * conversation and a prompt. Its answer becomes the answer of the caller's run, and the caller's model is not called
   * again. Its run is part of the caller's run, as with `asTool`. If it fails, the caller continues.
   *
   * @example
   * ```ts
   * const toBilling = billing.handoff({ description: "For invoices and payments." });
   * const desk = createAgent({ name: "desk", model, tools: [toBilling] });
   * ```
   */
  handoff(tool: AsToolOptions): AgentTool {
    const { name = `hand_to_${this.name}`, sees = "texts", ...options } = checkOptions("handoff", tool, toolChecks);
    return innerTool(this, name, { ...options, sees }, true);
  }

  /** Returns a copy of this agent with additional plugins, which become the innermost. */
  withPlugins(plugins: readonly Plugin[]): Agent<Output> {
    return new Agent({ ...plainMembers(this.options), plugins: this.stack.append(plugins).plugins });
  }

  /** Closes the plugins, so that they flush and close their files. */
  close(): Promise<void> {
    return this.stack.close();
  }

  /** @internal @param outer the resume options of the calling agent, if this agent runs as its tool. */
  start(input: AgentInput, options: AgentRunOptions, streaming: boolean, outer?: Resuming): Promise<AgentRun> {
    return startRun(this, input, options, streaming, this.resuming.within(outer));
  }
}

const toolChecks: Checks<AsToolOptions> = {
  name: any,
  description: any,
  timeout: any,
  progress: flag,
  sees: either(oneOf("nothing", "texts"), callable),
};

/** @throws AgentError `ERR_AGENT_OPTIONS` */
function checkParallel({ name, maxParallelTools = 1 }: AgentOptions): void {
  if (maxParallelTools === Number.POSITIVE_INFINITY || (Number.isInteger(maxParallelTools) && maxParallelTools > 0))
    return;
  throw new AgentError("ERR_AGENT_OPTIONS", `maxParallelTools of agent ${name} must be an integer of at least 1.`);
}

/**
 * Creates an agent. With an output schema, `result.output` has the type of that schema.
 *
 * @throws AgentError `ERR_AGENT_OPTIONS`
 * @example
 * ```ts
 * const agent = createAgent({ name: "support", model: openai("gpt-5"), tools: [weather], plugins });
 * ```
 */
export const createAgent = <const S extends InputSchema | undefined = undefined>(
  options: AgentOptions<S>,
): Agent<OutputOf<S>> => new Agent(options);
