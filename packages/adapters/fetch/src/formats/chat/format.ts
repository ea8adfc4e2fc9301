import type { WireFormat } from "../../neutral/format.js";
import { answer, empty } from "./answer.js";
import { request } from "./request.js";
import { ChatStream, events, failure } from "./stream.js";

/** OpenAI's chat completions, as many servers speak them. */
export const chatCompletions: WireFormat = {
  provider: "openai",
  request,
  answer,
  empty,
  events,
  stream: () => new ChatStream(),
  failure,
  unreadable: { data: "{" },
};
