import type { WireFormat } from "../../neutral/format.js";
import { eventOf } from "../../sse/event.js";
import { addressOfModel, addressWithoutStreaming, modelIn } from "./address.js";
import { append, empty } from "./answer.js";
import { request } from "./request.js";
import { GeminiStream } from "./stream.js";

/**
 * Google's `generateContent` of the Gemini API and of Vertex. The path contains the model, and whether the answer
 * streams.
 */
export const generateContent: WireFormat = {
  provider: "gcp.gemini",
  request,
  answer: (edit) => new GeminiStream().readCompleteBody(edit),
  append,
  empty,
  events: (body) => [eventOf(body)],
  stream: () => new GeminiStream(),
  route: {
    model: modelIn,
    streams: ({ pathname }) => pathname.endsWith(":streamGenerateContent"),
    // Without `alt=sse` the response is one JSON list of chunks.
    isList: ({ pathname, searchParams }) =>
      pathname.endsWith(":streamGenerateContent") && searchParams.get("alt") !== "sse",
    withoutStreaming: addressWithoutStreaming,
    to: addressOfModel,
  },
};
