import type { WireFormat } from "../../neutral/format.js";
import { answer, empty, events, failure } from "./answer.js";
import { request } from "./request.js";
import { ResponseStream } from "./stream.js";

/** OpenAI's responses. */
export const responses: WireFormat = {
  provider: "openai",
  request,
  answer,
  empty,
  events,
  stream: () => new ResponseStream(),
  failure,
  unreadable: { data: "{" },
};
