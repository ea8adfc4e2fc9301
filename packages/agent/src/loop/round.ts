import type { Awaitable, CallId, Delta, Message, Part, Plugin, Reply, Tool } from "@suite/core";
import type { ReasoningRequest, Suspended } from "@suite/core/contract";
import { deeperThan, maxDepth } from "../pending/json.js";
import { askFor, callThroughLayers, passedOn } from "./ask.js";
import type { LoopContext } from "./context.js";
import { noteRemovedIds } from "./history.js";
import type { SignedReply } from "./signed.js";
import type { Turn } from "./turn.js";

/** The prompt that is added in the last allowed round. */
const lastRound = "This is the last step: you cannot call any more tools. Answer with the information you have.";

/** Runs one round: compresses the history if it is too long, then calls the model. Streams the reply and returns it. */
export async function* runRound(
  turn: Turn,
  context: LoopContext,
  parent: CallId,
  last: boolean,
): AsyncGenerator<Delta, Reply | Suspended> {
  const { run, stack } = context;
  turn.modelText = undefined;
  turn.signed = [];
  const prompt = new RoundPrompt(context);
  const before = turn.messages;
  turn.messages = await compressed(turn, context, prompt, parent);
  noteRemovedIds(before, turn.messages, run);
  const tools = context.tools.all;
  const toolChoice = last ? "none" : choiceFor(turn, context);
  const request: ReasoningRequest = {
    messages: turn.messages,
    tools,
    ...(toolChoice !== undefined && tools.length > 0 && { toolChoice }),
    ...(context.outputSchema !== undefined && { outputSchema: context.outputSchema }),
    ...(context.settings !== undefined && { settings: context.settings }),
    ...(planned(turn, context) && { plans: true }),
  };
  const outcome = await stack.call(
    "reasoning",
    run,
    request,
    async (invocation) => {
      const system = await prompt.take();
      const systemPrompt = last && tools.length > 0 ? [system, lastRound].filter(Boolean).join("\n\n") : system;
      const onRequest = ({ tools: offered }: ReasoningRequest): void => {
        turn.withheld = without(context.tools.current, offered);
      };
      turn.withheld = new Set();
      const onReply = context.outputSchema === undefined ? undefined : (reply: Reply): void => turn.receive(reply);
      const onSigned = (signed: SignedReply): void => void turn.signed.push(signed);
      const inner = await callThroughLayers(context, invocation.request, systemPrompt, invocation.call, {
        reached: onRequest,
        own: onReply,
        onSigned,
      });
      invocation.respond(await passedOn<"reasoning">(inner));
    },
    parent,
  );
  const deltas = outcome[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const step = await deltas.next();
      if (step.done === true) {
        ended = true;
        if (step.value !== undefined) return step.value;
        break;
      }
      const delta = step.value;
      // Usage is reported once for the whole run. Parts of different rounds get different ids.
      if (delta.type === "finish") continue;
      yield delta.type === "event" ? delta : { ...delta, at: `${turn.round}.${delta.at}` };
    }
  } finally {
    if (!ended) await deltas.return?.();
  }
  const reply = await outcome.final();
  turn.finishReason = reply.finishReason;
  return storableReply(reply);
}

/** Returns the tool choice of this round. A required call is required only once, or the model would never answer. */
const choiceFor = ({ called }: Turn, { toolChoice }: LoopContext): LoopContext["toolChoice"] =>
  called && toolChoice !== "none" && toolChoice !== "auto" ? undefined : toolChoice;

const planned = ({ round }: Turn, { plans }: LoopContext): boolean =>
  plans === "every" || (plans === "first" && round === 1);

/** Returns the names of the tools that layers removed from the request. */
function without(all: ReadonlyMap<string, Tool>, offered: readonly Tool[]): ReadonlySet<string> {
  const names = new Set(offered.map(({ name }) => name));
  return new Set([...all.keys()].filter((name) => !names.has(name)));
}

/** True if the plugin compresses. A plugin that only watches compressions is not a reason to run one. */
const compresses = ({ compressContext, whereOffered }: Plugin): boolean =>
  compressContext !== undefined && whereOffered?.includes("compressContext") !== true;

async function compressed(
  turn: Turn,
  context: LoopContext,
  prompt: RoundPrompt,
  parent: CallId,
): Promise<readonly Message[]> {
  const { run, stack, compressContext } = context;
  if (compressContext === undefined && !stack.plugins.some(compresses)) return turn.messages;
  const systemPrompt = () => prompt.peek();
  const outcome = await stack.call(
    "compressContext",
    run,
    { messages: turn.messages, systemPrompt },
    async (invocation) => {
      const { messages } = invocation.request;
      if (compressContext === undefined) return invocation.respond({ value: messages });
      const askModel = askFor(context);
      const ask = (about: readonly Message[]): Promise<Reply> =>
        askModel({ messages: about }, { parent: invocation.call, purpose: "summarize" });
      invocation.respond({ value: await compressContext(messages, { systemPrompt, ask, runtime: run }) });
    },
    parent,
  );
  return outcome.final();
}

/**
 * Returns the reply for the history. Two kinds of arguments are replaced by a string, which no tool accepts: arguments
 * that are nested too deeply for code that walks the history, and an empty object in a call that was cut off, which
 * would look like a call without arguments.
 */
function storableReply(reply: Reply): Reply {
  const { message, finishReason } = reply;
  const last = finishReason === "length" ? message.parts.length - 1 : -1;
  const parts = message.parts.map((part, index) => storablePart(part, index === last));
  if (parts.every((part, index) => part === message.parts[index])) return reply;
  return { ...reply, message: { ...message, parts } satisfies Message };
}

function storablePart(part: Part, cutOff: boolean): Part {
  if (part.type !== "tool_call" || typeof part.arguments !== "object" || part.arguments === null) return part;
  if (cutOff && Object.keys(part.arguments).length === 0) return { ...part, arguments: "" };
  return deeperThan(part.arguments, maxDepth) ? { ...part, arguments: "(nested too deeply)" } : part;
}

/**
 * The system prompt of one round, built from the agent's prompt and the plugins' additions. It is built when it is
 * first needed, and once per model call.
 */
class RoundPrompt {
  #assembled: Promise<string> | undefined;

  constructor(readonly context: LoopContext) {}

  /**
   * Returns the prompt of the next model call, for example to count its tokens. Rejects with the error that building it
   * threw.
   */
  peek(): Awaitable<string> {
    this.#assembled ??= this.#assemble();
    return this.#assembled;
  }

  /** Returns the prompt for the current model call. The next call, such as a retry, builds a new one. */
  take(): Awaitable<string> {
    const assembled = this.peek();
    this.#assembled = undefined;
    return assembled;
  }

  async #assemble(): Promise<string> {
    const { stack, run, systemPrompt } = this.context;
    const base = typeof systemPrompt === "function" ? await systemPrompt(run) : systemPrompt;
    return stack.systemPrompt(base, run);
  }
}
