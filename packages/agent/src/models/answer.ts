import type { Delta, Reply, Stage } from "@suite/core";
import { AgentError } from "../errors.js";
import { isMessage, isPart } from "../messages.js";

/**
 * A model's reply, if it is one. A client of somebody's own may give anything: without this, whoever reads it first
 * would say so, in words that name neither the model nor what is wrong.
 *
 * @throws AgentError `ERR_AGENT_MODEL_ANSWER`
 */
export function replyOf(reply: Reply, model: string): Reply {
  if (isMessage((reply as Partial<Reply> | undefined | null)?.message)) return reply;
  throw noAnswer(model, "generate() gave no { message: { role, parts } }");
}

/** @throws AgentError `ERR_AGENT_MODEL_ANSWER` */
export function streamOf(stream: AsyncIterable<Delta, void>, model: string): AsyncIterable<Delta, void> {
  if (typeof stream === "object" && stream !== null && Symbol.asyncIterator in stream) return stream;
  throw noAnswer(model, "stream() gave nothing that can be iterated with `for await`");
}

/** The stage that lets deltas through, and nothing else. */
export const deltasOnly = (model: string): Stage<Delta, unknown> => ({
  chunk(delta, emit) {
    if (!isDelta(delta)) throw noAnswer(model, "stream() gave something that is no delta");
    emit(delta);
  },
});

function isDelta(value: unknown): boolean {
  const delta = value as Partial<Record<string, unknown>> | undefined | null;
  switch (delta?.type) {
    case "part":
      return typeof delta.at === "string" && isPart(delta.part);
    case "arguments":
      return typeof delta.at === "string" && typeof delta.json === "string";
    case "part_end":
      return typeof delta.at === "string";
    default:
      return delta?.type === "finish" || delta?.type === "event";
  }
}

const noAnswer = (model: string, what: string): AgentError =>
  new AgentError(
    "ERR_AGENT_MODEL_ANSWER",
    `The client of model ${model} broke its contract: ${what}. See the type \`Model\`.`,
  );
