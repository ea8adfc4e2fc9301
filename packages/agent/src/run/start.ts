import {
  type AgentRequest,
  type Delta,
  type Invocation,
  type Message,
  message,
  type Outcome,
  type Part,
  type Reply,
} from "@suite/core";
import { usageKey } from "@suite/core/adapter";
import { abortable, reasonOf, settlementOf } from "@suite/core/framework";
import { beginRun, stackFor } from "../begin.js";
import { checkOptions } from "../check-options.js";
import { AgentError } from "../errors.js";
import { askFor } from "../loop/ask.js";
import type { LoopContext } from "../loop/context.js";
import { isMessage } from "../loop/history.js";
import { loop } from "../loop/loop.js";
import { Start } from "../loop/turn.js";
import { runChecks } from "../option-checks.js";
import type { AgentInput, AgentRunOptions } from "../options.js";
import type { AgentParts } from "../parts.js";
import type { Resumption } from "../pending/decisions.js";
import type { Resuming } from "../pending/resuming.js";
import { claimExpired } from "../resume/expire.js";
import { openPending, type Resumed } from "../resume/open.js";
import { LiveTools } from "../tools/table.js";
import { ledgerOf } from "../totals/ledger.js";
import { AgentRun } from "./run.js";

/** Begins a run: checks the input, opens the state if the run is resumed, and calls the `agent` layers. */
export async function startRun(
  agent: AgentParts,
  input: AgentInput,
  options: AgentRunOptions,
  streaming: boolean,
  resuming: Resuming,
): Promise<AgentRun> {
  options = checkOptions(streaming ? "stream" : "run", options, runChecks);
  options.signal?.throwIfAborted();
  const resumed = isResumption(input) ? await opened(agent, input, options, resuming) : undefined;
  const messages = resumed?.state.messages ?? messagesOf(input as Exclude<AgentInput, Resumption>);
  const stack = stackFor(agent.stack, options);
  const run = beginRun(agent, stack, options, resumed?.state);
  run.takesClients = true;
  run.takesBranches = true;
  run.ask = askFor({ model: agent.options.model, run, stack });
  const ledger = ledgerOf(run);
  ledger.begin(run);
  run.set(usageKey, () => ledger.total.usage);
  const start = new Start(resumed);
  const { onInterrupted } = options;
  return new AgentRun({ agent, run, start, messages, resuming, onInterrupted }).enter(async () => {
    const offered = await abortable(stack.tools(run), run.signal);
    const tools = new LiveTools([...(agent.options.tools ?? []), ...offered], stack.plugins);
    run.tools = tools;
    const context = contextOf(agent, options, { run, stack, tools, streaming, resuming });
    const request: AgentRequest = { messages, ...(resumed !== undefined && { resume: resumeParts(resumed) }) };
    return stack.call(
      "agent",
      run,
      request,
      async (invocation) => {
        const { call } = invocation;
        run.terminated(undefined); // a layer may be retrying
        invocation.respond({ stream: loop(start.attempt(invocation.request.messages), context, call) });
        if (!streaming) await endOf(invocation);
      },
      options.parentCall,
    );
  });
}

/**
 * Waits for the end of a run that is not streamed, so that `callNext()` of its layers returns then, and throws its error.
 */
async function endOf({ result }: Invocation<"agent">): Promise<void> {
  const settlement = await settlementOf(result as Outcome<Delta, Reply>);
  if (settlement.status === "failed" || settlement.status === "cancelled") throw reasonOf(settlement);
}

function contextOf(
  agent: AgentParts,
  options: AgentRunOptions,
  ofRun: Pick<LoopContext, "run" | "stack" | "tools" | "streaming" | "resuming">,
): LoopContext {
  const {
    model,
    systemPrompt = "",
    compressContext,
    settings,
    toolChoice,
    plans,
    stopWhen,
    maxRounds = 16,
    maxParallelTools = Number.POSITIVE_INFINITY,
    toolTimeout,
    onHumanInput,
  } = agent.options;
  return {
    model,
    systemPrompt,
    compressContext,
    settings: options.settings === undefined ? settings : { ...settings, ...options.settings },
    toolChoice,
    outputSchema: agent.outputSchema,
    plans,
    stopWhen,
    maxRounds,
    maxParallelTools,
    toolTimeout,
    onHumanInput,
    ...ofRun,
  };
}

const opened = (agent: AgentParts, input: Resumption, options: AgentRunOptions, resuming: Resuming): Promise<Resumed> =>
  openPending(input, agent, options, resuming, (state) => claimExpired(agent, state, options, resuming));

const isResumption = (input: AgentInput): input is Resumption =>
  typeof input === "object" && input !== null && "pending" in input;

function messagesOf(input: Exclude<AgentInput, Resumption>): readonly Message[] {
  if (typeof input === "string") return [message("user", input)];
  const messages = Array.isArray(input) ? input : [input];
  if (messages.every(isMessage)) return messages;
  throw new AgentError(
    "ERR_AGENT_INPUT",
    "A run takes a string, a message ({ role, parts }), a list of messages, or { pending, decisions } of a suspended run.",
  );
}

/** Returns the results and answers of a resumed run as parts, for the `agent` layers. */
const resumeParts = ({ decisions }: Resumed): readonly Part[] =>
  [...decisions.values()].flatMap((decision) =>
    decision.type === "result" || decision.type === "answer"
      ? [{ type: "tool_call_response", id: decision.id, response: decision.response }]
      : [],
  );
