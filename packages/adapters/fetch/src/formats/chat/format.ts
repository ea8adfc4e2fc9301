import type { WireFormat } from "../../neutral/format.js";
import { eventOf } from "../../sse/event.js";
import { append, empty } from "./answer.js";
import { request } from "./request.js";
import { ChatStream, chunksOf } from "./stream.js";

/** OpenAI's chat completions, as many servers speak them. */
export const chatCompletions: WireFormat = {
  provider: "openai",
  request,
  answer: (edit) => new ChatStream().readCompleteBody(edit),
  append,
  empty,
  events: (body) => [...chunksOf(body).map((chunk) => eventOf(chunk)), { data: "[DONE]" }],
  stream: () => new ChatStream(),
};
