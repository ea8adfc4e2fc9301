import {
  type CallId,
  type Delta,
  MiddlewareTermination,
  message,
  type Part,
  type Reply,
  toolCallsOf,
} from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { explodeReply, type ToolCallResponsePart } from "@suite/core/messages";
import { isHandoff } from "../tools/inner.js";
import { ledgerOf } from "../totals/ledger.js";
import type { LoopContext } from "./context.js";
import { answered, withoutOrphans, withUniqueIds } from "./history.js";
import { runRound } from "./round.js";
import { settleLast, settleOpen } from "./settle.js";
import { keepSigned } from "./signed.js";
import type { Turn } from "./turn.js";
import { complete } from "./turn.js";

/** The response of tool calls that are made in the last allowed round. */
const overLimit = "The maximum number of rounds was reached; this call was not run.";

/**
 * Runs one attempt and streams its deltas. Returns `Suspended` if it waits for a person or for a tool that runs
 * elsewhere. A layer inside may end the run with its answer.
 */
export async function* loop(turn: Turn, context: LoopContext, call: CallId): AsyncGenerator<Delta, Suspended | void> {
  try {
    return yield* rounds(turn, context, call);
  } catch (error) {
    if (!MiddlewareTermination.is(error) || error.scope !== "run" || error.reply === undefined) throw error;
    context.run.check(); // an abort takes precedence
    context.run.terminated(error);
    yield* endWith(error.reply, turn, context);
  }
}

/** Runs all rounds. */
async function* rounds(turn: Turn, context: LoopContext, call: CallId): AsyncGenerator<Delta, Suspended | void> {
  const { maxRounds, run } = context;
  const before = turn.messages.length;
  const waits = yield* settleOpen(turn, context, call);
  if (waits !== undefined) return waits;
  if (turn.messages.length > before) {
    const handed = handedOver(turn, context);
    if (handed !== undefined) return yield* endWith(handed, turn, context);
    if (await stops(turn, context)) return yield finish(turn, context);
  }
  turn.messages = answered(withoutOrphans(turn.messages));
  while (turn.round < maxRounds) {
    turn.round++;
    const reply = yield* runRound(turn, context, call, isLast(turn, context));
    if ("suspended" in reply) return reply;
    const answered = withUniqueIds(reply.message, turn.messages, run);
    keepSigned(run, turn.signed, reply.message, answered);
    turn.messages = [...turn.messages, answered];
    turn.replies = turn.round;
    const calls = toolCallsOf(answered).length;
    if (calls === 0 && turn.finishReason === pausedTurn && turn.round < maxRounds) continue;
    if (calls === 0) {
      turn.over = true;
      return yield finish(turn, context);
    }
    turn.called = true;
    if (turn.round === maxRounds) {
      turn.lastCalls = calls;
      break;
    }
    const suspended = yield* settleLast(turn, context, call);
    if (suspended !== undefined) return suspended;
    const handed = handedOver(turn, context);
    if (handed !== undefined) return yield* endWith(handed, turn, context);
    if (await stops(turn, context)) return yield finish(turn, context);
  }
  turn.messages = answered(turn.messages, overLimit);
  turn.finishReason = "max_rounds";
  turn.over = true;
  run.notify({ type: "limit", call, limit: "rounds", maximum: maxRounds });
  yield finish(turn, context);
}

/**
 * The finish reason of an answer that Anthropic paused. The model continues if it is called again with the answer so
 * far.
 */
const pausedTurn = "pause_turn";

/**
 * Returns the answer of the agent that received the conversation in the last round, after the layers of that call. It
 * becomes the answer of the run.
 */
function handedOver({ messages }: Turn, { tools }: LoopContext): Reply | undefined {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const lastMessage = messages[at];
  if (lastMessage === undefined) return undefined;
  const responses = messages.slice(at + 1).flatMap(({ parts }) => parts.filter(isResponse));
  for (const { id, name } of toolCallsOf(lastMessage)) {
    if (!isHandoff(tools.current.get(name))) continue;
    const response = responses.find((each) => each.id === id);
    if (response?.isError === true || typeof response?.response !== "string") continue;
    return { message: message("assistant", response.response), finishReason: "stop" };
  }
  return undefined;
}

/** True if `stopWhen` ends the run after this round. The text next to the calls is then the answer. */
async function stops(turn: Turn, { stopWhen, run }: LoopContext): Promise<boolean> {
  if (stopWhen === undefined) return false;
  const { round, messages } = turn;
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const lastMessage = messages[at];
  if (lastMessage === undefined) return false;
  const responses = messages.slice(at + 1).flatMap(({ parts }) => parts.filter(isResponse));
  if (!(await stopWhen({ round, message: lastMessage, responses, messages, runtime: run }))) return false;
  turn.lastCalls = toolCallsOf(lastMessage).length;
  turn.finishReason = "stop_condition";
  turn.modelText = undefined; // this text is not a final answer to check by the output schema
  turn.over = true;
  return true;
}

const isResponse = (part: Part): part is ToolCallResponsePart => part.type === "tool_call_response";

/**
 * True if the model may call no tool, because this is the last round. If it is the only one and a call is required,
 * calling is allowed.
 */
const isLast = ({ round }: Turn, { maxRounds, toolChoice = "auto" }: LoopContext): boolean =>
  round === maxRounds && (maxRounds > 1 || toolChoice === "auto" || toolChoice === "none");

/** Ends the run with the answer of a layer. Open calls get a response that states this. */
function* endWith(reply: Reply, turn: Turn, context: LoopContext): Generator<Delta, void> {
  turn.messages = [...complete(turn), reply.message];
  turn.batch = undefined;
  turn.finishReason = reply.finishReason;
  turn.modelText = undefined;
  turn.over = true;
  const { usage, response } = reply;
  if (usage !== undefined) ledgerOf(context.run).add(usage, { model: response?.model ?? context.model.name });
  for (const delta of explodeReply(reply)) {
    if (delta.type !== "finish") yield delta.type === "event" ? delta : { ...delta, at: `end.${delta.at}` };
  }
  yield finish(turn, context);
}

const finish = ({ finishReason }: Turn, { run }: LoopContext): Delta => ({
  type: "finish",
  usage: ledgerOf(run).usage,
  ...(finishReason !== undefined && { finishReason }),
});
