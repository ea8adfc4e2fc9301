import type { WireFormat } from "../../neutral/format.js";
import { answer, append, empty, events } from "./answer.js";
import { request } from "./request.js";
import { MessageStream } from "./stream.js";

/** Anthropic's messages. */
export const messages: WireFormat = {
  provider: "anthropic",
  request,
  answer,
  append,
  empty,
  events,
  stream: () => new MessageStream(),
};
