import type { WireFormat } from "../../neutral/format.js";
import { answer, append, empty, events } from "./answer.js";
import { request } from "./request.js";
import { ResponseStream } from "./stream.js";

/** OpenAI's responses. */
export const responses: WireFormat = {
  provider: "openai",
  request,
  answer,
  append,
  empty,
  events,
  stream: () => new ResponseStream(),
};
