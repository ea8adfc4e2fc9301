import { type ServerEvent, serialise } from "./event.js";
import { ListReader, ListWriter } from "./list.js";
import { EventReader } from "./read.js";

/** The framing of events in the body of a streamed answer. */
export interface Framing {
  readonly contentType: string;
  /** Whether a body of this type is a stream of events. */
  streams(contentType: string): boolean;
  reader(): FrameReader;
  /** The text that stands for an event which was cut off: nobody could look at it, and clients may tell of it. */
  readonly torn: string;
  writer(): FrameWriter;
}

/** Reads events from a body as it comes. */
export interface FrameReader {
  feed(text: string): ServerEvent[];
  /** The text that has come of an event which is not whole yet. */
  readonly rest: string;
  /** Whether the text that has come ends with an event, so that what came can be handed on as it is. */
  readonly between: boolean;
}

/** Writes events into a body. */
export interface FrameWriter {
  write(event: ServerEvent): string;
  /** @param own whether a layer made the answer. */
  end(own: boolean): string;
}

/** Server-sent events. */
export const eventStream: Framing = {
  contentType: "text/event-stream; charset=utf-8",
  streams: (contentType) => contentType.includes("text/event-stream"),
  reader: () => new EventReader(),
  torn: "data: {",
  writer: () => ({ write: serialise, end: () => "" }),
};

/** The items of a JSON list. */
export const jsonList: Framing = {
  contentType: "application/json",
  streams: (contentType) => contentType.includes("json"),
  reader: () => new ListReader(),
  torn: "",
  writer: () => new ListWriter(),
};
