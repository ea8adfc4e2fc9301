import type { Part } from "@suite/core";
import type { Draft, Edit, EventFormat, Place } from "@suite/core/editor";
import type { FinishDelta } from "@suite/core/messages";
import type { Json } from "../json.js";
import type { ServerEvent } from "../sse/event.js";

/** The field of the body of an event whose data is not an object: it contains the data. */
export const plain: unique symbol = Symbol("plain");

/**
 * The events of one streamed answer. Comments, end marks and plain values are the same in each protocol. A subclass
 * registers the strings and values of all other events. One object per stream.
 */
export abstract class AnswerEvents implements EventFormat<ServerEvent> {
  /** True if the provider has sent its last event. */
  finished = false;
  /** True if an error has ended the stream. */
  failed = false;
  /** The field that contains the provider's number of an event. */
  readonly number?: string;
  /** An event without content that the provider's client fails to parse. */
  readonly unreadable: ServerEvent = { data: "{" };
  #reported = false;

  /** True if the client appends the text of a part that a plugin added to the text of another part. */
  abstract readonly joinsAdded: boolean;

  /** The finish mark, as far as the events have reported it. */
  abstract readonly finish: FinishDelta;

  /**
   * Registers the strings, values, copies and ends of an event.
   *
   * @throws FetchError `ERR_FETCH_REFUSED` if the event reports an error
   */
  protected abstract readBody(edit: Edit): void;

  abstract extra(place: Place, text: string): Draft;

  abstract added(part: Part): readonly Draft[];

  /** Returns the name of an event with this body, if the protocol names its events. */
  nameOf(_body: Json): string | undefined {
    return undefined;
  }

  /** Returns true if the name of an event marks it as an error, independent of its data. */
  isError(_event: ServerEvent): boolean {
    return false;
  }

  /** Returns true if the provider's client skips the event without parsing it. */
  ignores(_event: ServerEvent): boolean {
    return false;
  }

  read(event: ServerEvent | undefined, edit: Edit): void {
    if (event?.data === "") return;
    if (event === undefined || isDone(event)) {
      this.finished = true;
      edit.terminal = !this.failed;
      edit.endAll();
      if (!this.#reported && !this.failed) edit.finish(this.finish);
    } else if (plain in edit.body) {
      edit.value("json_value", edit.body[plain as unknown as string], (value) => {
        (edit.body as Record<symbol, unknown>)[plain] = value;
      });
    } else {
      this.readBody(edit);
      this.#reported ||= edit.finishMark !== undefined;
      this.finished = edit.terminal;
    }
  }

  write(event: ServerEvent | undefined, body: Draft): ServerEvent {
    const value = plain in body ? (body as Record<symbol, unknown>)[plain] : body;
    const data =
      typeof value === "string" && event !== undefined && !event.data.startsWith('"') ? value : JSON.stringify(value);
    const name = event === undefined ? this.nameOf(body) : event.event;
    return { data: data ?? "null", id: event?.id, event: name };
  }
}

/** Returns true for OpenAI's mark of the end, which is not JSON. */
export const isDone = ({ data }: ServerEvent): boolean => data.startsWith("[DONE]");
