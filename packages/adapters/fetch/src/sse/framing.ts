import { type ServerEvent, serialise } from "./event.js";
import { ListReader, ListWriter } from "./list.js";
import { EventReader } from "./read.js";

/** The framing of events in the body of a streamed answer. */
export interface Framing {
  readonly contentType: string;
  /** Returns true if a body of this type is a stream of events. */
  streams(contentType: string): boolean;
  reader(): FrameReader;
  /**
   * The text that replaces an incomplete event at the end of a body. No plugin could inspect that event, and clients
   * may report an error for it.
   */
  readonly torn: string;
  writer(): FrameWriter;
}

/** Reads events from a body as it comes. */
export interface FrameReader {
  feed(text: string): ServerEvent[];
  /** The received text of an incomplete event. */
  readonly rest: string;
  /** True if the received text ends with an event, so that its bytes can be passed on unchanged. */
  readonly between: boolean;
}

/** Writes events into a body. */
export interface FrameWriter {
  write(event: ServerEvent): string;
  /** Returns the end of the body. @param fromLayer true if a layer made the answer */
  end(fromLayer: boolean): string;
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
