import { createParser } from "eventsource-parser";
import { FetchError } from "../errors.js";
import type { ServerEvent } from "./event.js";

/** In UTF-16 units. An event may hold an image in base64. */
const longestEvent = 64 * 1024 * 1024;

/**
 * The events of a body, as they come. An event that was cut off is none.
 *
 * @throws FetchError `ERR_FETCH_EVENT_TOO_LONG`; what the body throws, unchanged.
 */
export async function* eventsOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  longest: number = longestEvent,
): AsyncGenerator<readonly ServerEvent[], void> {
  let events: ServerEvent[] = [];
  const parser = createParser({
    maxBufferSize: longest,
    onEvent: ({ event, id, data }) => events.push({ event, id, data }),
    onError(error) {
      if (error.type !== "max-buffer-size-exceeded") return;
      throw new FetchError("ERR_FETCH_EVENT_TOO_LONG", `An event of the answer is longer than ${longest} characters.`);
    },
  });
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    if (events.length === 0) continue;
    yield events;
    events = [];
  }
}
