import type { Delta } from "@suite/core";
import { type Draft, type Edit, type EventFormat, type Place, StreamEditor } from "@suite/core/editor";
import { FetchError, refused } from "../errors.js";
import { isJson, parsed } from "../json.js";
import type { ServerEvent } from "../sse/event.js";
import type { StreamFormat, WireFormat } from "./format.js";

/** The field of the body of an event whose data is not an object: it contains the data. */
const plain = Symbol("plain");

/** One streamed answer, edited in place. */
export class EventStream {
  /** True if the provider has sent an event. */
  begun = false;
  /** The error that ended the stream, and the event that reported it. */
  failure: { readonly error: unknown; readonly event: ServerEvent | undefined } | undefined;
  readonly #format: WireFormat;
  readonly #events: ServerEvents;
  readonly #editor: StreamEditor<ServerEvent>;

  constructor(format: WireFormat) {
    this.#format = format;
    this.#events = new ServerEvents(format);
    this.#editor = new StreamEditor(this.#events);
  }

  /** The events that can be sent, in order. */
  get out(): ServerEvent[] {
    return this.#editor.out;
  }

  /** True if the provider has sent its last event. */
  get finished(): boolean {
    return this.#events.finished;
  }

  /** Reads an event. Returns the deltas for the layers. After the last of them look at `failure`. */
  read(event: ServerEvent): readonly Delta[] {
    if (event.data !== "") this.begun = true;
    if (this.#format.isError?.(event) === true) return this.fail(refused(200, parsed(event.data)), event);
    try {
      return this.#editor.read(event, this.#bodyOf(event));
    } catch (error) {
      return this.fail(error, event);
    }
  }

  /** Reads the end of a body without a last event. @param rest the text of an event that was cut off. */
  close(rest: string): readonly Delta[] {
    const body = rest.startsWith("{") ? parsed(rest) : undefined;
    // Gemini reports an error in the middle of a stream as JSON without a frame.
    if (isJson(body) && body.error) return this.fail(refused(200, body));
    return this.begun ? this.#editor.read(undefined, {}) : [];
  }

  /** Ends all places, so that the layers release what they hold back before they meet the error. */
  fail(error: unknown, event?: ServerEvent): readonly Delta[] {
    this.failure = { error, event };
    this.#events.failed = true;
    return this.#editor.read(undefined, {});
  }

  /** Takes a delta that the layers released. */
  write(delta: Delta): void {
    this.#editor.write(delta);
  }

  /** Moves the events of which nothing is held back to `out`. Call it when all deltas were given to the layers. */
  settle(): void {
    this.#editor.settle();
  }

  /** Moves all events to `out`: the layers release nothing any more. */
  end(): void {
    this.#editor.end();
  }

  #bodyOf(event: ServerEvent): Draft {
    const { data } = event;
    if (data === "" || isDone(event)) return {};
    try {
      const value: unknown = JSON.parse(data);
      // Some clients do not look at the names of events, so an event that the provider's client skips is read too.
      return isJson(value) ? (value as Draft) : { [plain]: value };
    } catch {
      if (this.#format.ignores?.(event) === true) return { [plain]: data };
      throw new FetchError(
        "ERR_FETCH_ANSWER_UNREADABLE",
        `An event of ${data.length} characters in the answer is not JSON.`,
      );
    }
  }
}

/** The events of all protocols: comments, marks of the end and plain values are the same in each. */
class ServerEvents implements EventFormat<ServerEvent> {
  finished = false;
  /** True if an error has ended the stream. */
  failed = false;
  readonly #wire: WireFormat;
  readonly #stream: StreamFormat;
  #reported = false;

  constructor(wire: WireFormat) {
    this.#wire = wire;
    this.#stream = wire.stream();
  }

  get joinsAdded(): boolean {
    return this.#stream.joinsAdded;
  }

  get number(): string | undefined {
    return this.#stream.number;
  }

  read(event: ServerEvent | undefined, edit: Edit): void {
    if (event?.data === "") return;
    if (event === undefined || isDone(event)) {
      this.finished = true;
      edit.terminal = !this.failed;
      edit.endAll();
      if (!this.#reported && !this.failed) edit.finish(this.#stream.finish);
    } else if (plain in edit.body) {
      edit.value("json_value", edit.body[plain as unknown as string], (value) => {
        (edit.body as Record<symbol, unknown>)[plain] = value;
      });
    } else {
      this.#stream.read(edit);
      this.#reported ||= edit.finishMark !== undefined;
      this.finished = edit.terminal;
    }
  }

  write(event: ServerEvent | undefined, body: Draft): ServerEvent {
    const value = plain in body ? (body as Record<symbol, unknown>)[plain] : body;
    const data =
      typeof value === "string" && event !== undefined && !event.data.startsWith('"') ? value : JSON.stringify(value);
    const name = event === undefined ? this.#wire.eventName(body) : event.event;
    return { data: data ?? "null", id: event?.id, event: name };
  }

  extra(place: Place, text: string): Draft {
    return this.#stream.extra(place, text);
  }

  added(part: Parameters<StreamFormat["added"]>[0]): readonly Draft[] {
    return this.#stream.added(part);
  }
}

/** Returns true for OpenAI's mark of the end, which is not JSON. */
export const isDone = ({ data }: ServerEvent): boolean => data.startsWith("[DONE]");
