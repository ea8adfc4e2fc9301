import type { WireFormat } from "../format.js";
import { answer, empty, events, failure } from "./answer.js";
import { request } from "./request.js";
import { MessageStream } from "./stream.js";

/** Anthropic's messages. */
export const messages: WireFormat = {
  provider: "anthropic",
  request,
  answer,
  empty,
  events,
  stream: () => new MessageStream(),
  failure,
  unreadable: { event: "message_delta", data: "{" },
};
