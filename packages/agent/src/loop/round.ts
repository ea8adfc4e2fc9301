import type { CallId, Delta, Message, Plugin, ReasoningRequest, Reply, Suspended } from "@suite/core";
import { askModel, passedOn } from "./ask.js";
import type { LoopContext } from "./context.js";
import { kept } from "./kept.js";
import { RoundPrompt } from "./prompt.js";
import type { Turn } from "./turn.js";

/** One round: compress what has grown too long, then ask the model. Streams the reply, and returns it. */
export async function* runRound(
  turn: Turn,
  context: LoopContext,
  parent: CallId,
  last: boolean,
): AsyncGenerator<Delta, Reply | Suspended> {
  const { run, stack } = context;
  const prompt = new RoundPrompt(context);
  turn.messages = await compressed(turn, context, prompt, parent);
  const toolChoice = last ? "none" : context.toolChoice;
  const request: ReasoningRequest = {
    messages: turn.messages,
    tools: [...context.tools.values()],
    ...(toolChoice !== undefined && context.tools.size > 0 && { toolChoice }),
    ...(context.outputSchema !== undefined && { outputSchema: context.outputSchema }),
    ...(context.settings !== undefined && { settings: context.settings }),
  };
  const outcome = await stack.call(
    "reasoning",
    run,
    request,
    async (invocation) => {
      const inner = await askModel(context, invocation.request, await prompt.take(), invocation.call);
      invocation.respond(await passedOn<"reasoning">(inner));
    },
    parent,
  );
  const deltas = outcome[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await deltas.next();
      if (step.done === true) {
        if (step.value !== undefined) return step.value;
        break;
      }
      const delta = step.value;
      // Usage is told once for the whole run; parts of different rounds are different parts.
      if (delta.type === "finish") continue;
      yield delta.type === "event" ? delta : { ...delta, at: `${turn.round}.${delta.at}` };
    }
  } finally {
    await deltas.return?.();
  }
  const reply = await outcome.final();
  turn.finishReason = reply.finishReason;
  return kept(reply);
}

/** A plugin that only watches compressions gives no reason for one. */
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
      const ask = async (about: readonly Message[]): Promise<Reply> => {
        const asked = await askModel(context, { messages: about, tools: [] }, "", invocation.call, false);
        return asked.final();
      };
      invocation.respond({ value: await compressContext(messages, { systemPrompt, ask, runtime: run }) });
    },
    parent,
  );
  return outcome.final();
}
