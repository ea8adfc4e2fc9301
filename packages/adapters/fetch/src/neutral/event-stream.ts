import type { Delta } from "@suite/core";
import { type Draft, StreamEditor } from "@suite/core/editor";
import { FetchError, refused } from "../errors.js";
import { isJson, parsed } from "../json.js";
import type { ServerEvent } from "../sse/event.js";
import { type AnswerEvents, isDone, plain } from "./answer-events.js";

/** One streamed answer, edited in place. */
export class EventStream {
  /** True if the provider has sent an event. */
  begun = false;
  /** The error that ended the stream, and the event that reported it. */
  failure: { readonly error: unknown; readonly event: ServerEvent | undefined } | undefined;
  readonly #events: AnswerEvents;
  readonly #editor: StreamEditor<ServerEvent>;

  constructor(events: AnswerEvents) {
    this.#events = events;
    this.#editor = new StreamEditor(events);
  }

  /** The events that can be sent, in order. */
  get out(): ServerEvent[] {
    return this.#editor.out;
  }

  /** The event that the provider's client fails to parse. */
  get unreadable(): ServerEvent {
    return this.#events.unreadable;
  }

  /** True if the provider has sent its last event. */
  get finished(): boolean {
    return this.#events.finished;
  }

  /** Reads an event. Returns the deltas for the layers. After the last of them look at `failure`. */
  read(event: ServerEvent): readonly Delta[] {
    if (event.data !== "") this.begun = true;
    if (this.#events.isError(event)) return this.fail(refused(200, parsed(event.data)), event);
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

  /** Ends all places, so that the layers release the text that they hold back before they get the error. */
  fail(error: unknown, event?: ServerEvent): readonly Delta[] {
    this.failure = { error, event };
    this.#events.failed = true;
    return this.#editor.read(undefined, {});
  }

  /** Takes a delta that the layers released. */
  write(delta: Delta): void {
    this.#editor.write(delta);
  }

  /**
   * Moves the events to `out` that the layers have released completely. Must be called after the layers have received
   * all deltas.
   */
  settle(): void {
    this.#editor.settle();
  }

  /** Moves all events to `out`. Must be called after the last delta of the layers. */
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
      if (this.#events.ignores(event)) return { [plain]: data };
      throw new FetchError(
        "ERR_FETCH_ANSWER_UNREADABLE",
        `An event of ${data.length} characters in the answer is not JSON.`,
      );
    }
  }
}
