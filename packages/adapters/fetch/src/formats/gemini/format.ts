import { textOfValue } from "../../json.js";
import { eventOf } from "../../sse/event.js";
import type { WireFormat } from "../format.js";
import { answer, empty } from "./answer.js";
import { request } from "./request.js";
import { GeminiStream } from "./stream.js";

const method = /\/models\/([^/:]+):(?:streamG|g)enerateContent$/;

/** Google's `generateContent`, of the Gemini API and of Vertex: the path names the model, and whether the answer streams. */
export const generateContent: WireFormat = {
  provider: "gcp.gemini",
  request,
  answer,
  empty,
  events: (body) => [eventOf(body)],
  stream: () => new GeminiStream(),
  failure: (body) => ({ data: textOfValue(body) }),
  unreadable: { data: "{" },
  route: {
    model: ({ pathname }) => decodeURIComponent(method.exec(pathname)?.[1] ?? ""),
    streams: ({ pathname }) => pathname.endsWith(":streamGenerateContent"),
    // Without `alt=sse` the chunks come as the items of one list.
    isList: ({ pathname, searchParams }) =>
      pathname.endsWith(":streamGenerateContent") && searchParams.get("alt") !== "sse",
    to(url, model) {
      const other = new URL(url);
      other.pathname = url.pathname.replace(/\/models\/[^/:]+:/, () => `/models/${encodeURIComponent(model)}:`);
      return other;
    },
  },
};
