import { stringOf } from "../../json.js";
import type { WireFormat } from "../../neutral/format.js";
import { answer, append, empty, events } from "./answer.js";
import { request } from "./request.js";
import { MessageStream } from "./stream.js";

/** The names of the events that Anthropic's client reads. It skips events with another name or without one. */
const read: ReadonlySet<string> = new Set([
  ...["message_start", "message_delta", "message_stop", "message", "completion", "error"],
  ...["content_block_start", "content_block_delta", "content_block_stop"],
]);

/** Anthropic's messages. */
export const messages: WireFormat = {
  provider: "anthropic",
  request,
  answer,
  append,
  empty,
  events,
  stream: () => new MessageStream(),
  eventName: ({ type, error }) => stringOf(type) || (error ? "error" : undefined),
  isError: ({ event }) => event === "error",
  ignores: ({ event }) => event === undefined || !read.has(event),
  unreadable: { event: "message_delta", data: "{" },
};
