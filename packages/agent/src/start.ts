import { type AgentRequest, type Message, message, type Part } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { abortable } from "@suite/core/framework";
import type { Agent } from "./agent.js";
import { beginRun } from "./begin.js";
import { AgentError } from "./errors.js";
import type { LoopContext } from "./loop/context.js";
import { loop } from "./loop/loop.js";
import { Turn } from "./loop/turn.js";
import type { AgentInput, AgentRunOptions } from "./options.js";
import { claimExpired } from "./pending/expire.js";
import { openPending, type Resumed, type Resumption } from "./pending/open.js";
import { pendingOf } from "./pending/state.js";
import { AgentRun } from "./run.js";
import type { AgentTool } from "./tools/tool.js";
import { ledgerOf } from "./totals/ledger.js";

/** Begins a run: checks the input, opens what is resumed, and goes through the `agent` layers. */
export async function startRun(
  agent: Agent,
  input: AgentInput,
  options: AgentRunOptions,
  streaming: boolean,
): Promise<AgentRun> {
  options.signal?.throwIfAborted(); // before a pending state is used up
  const resumed = isResumption(input) ? await opened(agent, input, options) : undefined;
  const turn = new Turn(resumed);
  if (resumed === undefined) turn.messages = messagesOf(input as Exclude<AgentInput, Resumption>);
  const stack = agent.stack.append(options.plugins ?? []);
  const own = agent.options.tools ?? [];
  const run = beginRun(agent, stack, options, resumed?.state);
  const ledger = ledgerOf(run);
  ledger.begin(run);
  try {
    const context = contextOf(
      agent,
      options,
      run,
      stack,
      toolsByName([...own, ...(await abortable(stack.tools(run), run.signal))]),
      streaming,
    );
    const request: AgentRequest = {
      messages: turn.messages,
      ...(resumed !== undefined && { resume: resumeParts(resumed) }),
    };
    const outcome = await stack.call(
      "agent",
      run,
      request,
      async (invocation) => {
        const { call } = invocation;
        if (resumed !== undefined) run.notify({ type: "resume", call, pending: resumed.state.calls.map(pendingOf) });
        turn.messages = invocation.request.messages;
        invocation.respond({ stream: loop(turn, context, call) });
      },
      options.parentCall,
    );
    return new AgentRun(agent, run, turn, outcome);
  } catch (error) {
    ledger.end(false);
    await run.end();
    throw error;
  }
}

function contextOf(
  agent: Agent,
  options: AgentRunOptions,
  run: Run,
  stack: LoopContext["stack"],
  tools: LoopContext["tools"],
  streaming: boolean,
): LoopContext {
  const {
    model,
    systemPrompt = "",
    compressContext,
    settings,
    toolChoice,
    maxRounds = 16,
    onHumanInput,
  } = agent.options;
  return {
    run,
    stack,
    tools,
    model,
    systemPrompt,
    compressContext,
    settings: options.settings === undefined ? settings : { ...settings, ...options.settings },
    toolChoice,
    outputSchema: agent.outputSchema,
    maxRounds,
    onHumanInput,
    streaming,
  };
}

const opened = (agent: Agent, input: Resumption, options: AgentRunOptions): Promise<Resumed> =>
  openPending(input, agent, options, (state) => claimExpired(agent, state, options));

const isResumption = (input: AgentInput): input is Resumption => typeof input === "object" && "pending" in input;

function messagesOf(input: Exclude<AgentInput, Resumption>): readonly Message[] {
  if (typeof input === "string") return [message("user", input)];
  return "role" in input ? [input] : input;
}

/** What came back, for the `agent` layers to see. */
const resumeParts = ({ decisions }: Resumed): readonly Part[] =>
  [...decisions.values()].flatMap((decision) =>
    decision.type === "result" || decision.type === "answer"
      ? [{ type: "tool_call_response", id: decision.id, response: decision.response }]
      : [],
  );

function toolsByName(tools: readonly AgentTool[]): ReadonlyMap<string, AgentTool> {
  const byName = new Map<string, AgentTool>();
  for (const tool of tools) {
    if (byName.has(tool.name))
      throw new AgentError("ERR_DUPLICATE_TOOL", `Two tools are named ${JSON.stringify(tool.name)}.`);
    byName.set(tool.name, tool);
  }
  return byName;
}
