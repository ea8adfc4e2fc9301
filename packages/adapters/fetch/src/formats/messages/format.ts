import type { WireFormat } from "../../neutral/format.js";
import { answer, empty, events, failure } from "./answer.js";
import { request } from "./request.js";
import { MessageStream } from "./stream.js";

/** The names of events that Anthropic's client reads: it passes over those of other names, and without one. */
const read: ReadonlySet<string> = new Set([
  ...["message_start", "message_delta", "message_stop", "message", "completion", "error"],
  ...["content_block_start", "content_block_delta", "content_block_stop"],
]);

/** Anthropic's messages. */
export const messages: WireFormat = {
  provider: "anthropic",
  request,
  answer,
  empty,
  events,
  stream: () => new MessageStream(),
  failure,
  ignores: ({ event }) => event === undefined || !read.has(event),
  unreadable: { event: "message_delta", data: "{" },
};
