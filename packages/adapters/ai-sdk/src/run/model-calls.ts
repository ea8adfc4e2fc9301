import type { Reply } from "@suite/core";
import { explodeReply } from "@suite/core/messages";
import type { GenerateResult, StreamResult } from "../framework.js";
import { PromptReader } from "../messages/prompt.js";
import { resultOfReply } from "../messages/reply.js";
import { generateThroughLayers, resultOf, streamThroughLayers, type Within } from "../model/ask.js";
import type { ModelCalls } from "../model/layered.js";
import { type Pass, streamOf } from "../model/streams.js";
import type { ToolHandoff } from "../tool/handoff.js";
import type { Turn } from "../turn/turn.js";

/** Creates the `ModelCalls` of a turn. They run in the turn's run, through its layers. */
export function modelCallsOf(turn: Turn, handoff: ToolHandoff): ModelCalls {
  const prompts = new PromptReader();
  const within = (): Within => ({ stack: turn.stack, run: turn.run, call: turn.call, prompts });
  return {
    async generate(model, params) {
      const { answered } = turn.isOpen ?? (await turn.opened);
      const reply = turn.takeReply() ?? (answered === undefined ? undefined : await answered.final());
      turn.check();
      if (reply !== undefined) return resultOfReply(withoutCalls(reply));
      const { outcome, modelAnswer } = await generateThroughLayers(within(), model, params);
      const result: GenerateResult = resultOf(modelAnswer(), await outcome.final());
      const waiting = handoff.waitingIn(result.content);
      return waiting.length === 0
        ? result
        : { ...result, content: [...(await handoff.handOut(result.content, waiting))] };
    },
    async stream(model, params) {
      const { answered } = await turn.opened;
      const reply = turn.takeReply();
      turn.check();
      const replyStream = reply === undefined ? answered : streamOfReply(reply);
      if (replyStream !== undefined) return { stream: streamOf(replyStream, undefined, withoutTools) };
      const { outcome, modelAnswer } = await streamThroughLayers(within(), model, params);
      const stream = streamOf(outcome, modelAnswer()?.source, handoff.pass());
      return { ...modelAnswer()?.result, stream } as StreamResult;
    },
  };
}

/** Returns a streamed answer for a reply that ended the run. */
const streamOfReply = (reply: Reply): Parameters<typeof streamOf>[0] => ({
  settled: Promise.resolve({ status: "completed", final: reply }),
  async *[Symbol.asyncIterator]() {
    yield* explodeReply(reply);
    return undefined;
  },
});

/** Removes tool chunks from an answer of the agent layers, because those calls have already run. */
const withoutTools: Pass = {
  accept: (chunks) => chunks.filter((chunk) => !chunk.type.startsWith("tool-")),
  end: async () => [],
};

/** Returns the reply of the agent layers without its calls, which have already run. */
const withoutCalls = (reply: Reply): Reply => ({
  ...reply,
  message: { ...reply.message, parts: reply.message.parts.filter((part) => part.type !== "tool_call") },
});
