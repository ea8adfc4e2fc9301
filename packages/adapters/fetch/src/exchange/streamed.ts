import type { Delta, ModelRequest, Outcome, Reply } from "@suite/core";
import { type OutcomeStep, readerOf } from "@suite/core/framework";
import { FetchError } from "../errors.js";
import { jsonOf, textOfValue } from "../json.js";
import type { EventStream } from "../neutral/event-stream.js";
import type { WireFormat } from "../neutral/format.js";
import type { ServerEvent } from "../sse/event.js";
import type { FrameWriter, Framing } from "../sse/framing.js";
import type { Attempt } from "./attempt.js";
import { type BodySource, bodyOf, type Sink } from "./body.js";
import { Ledger, ownAnswer } from "./plain.js";
import { responseLike } from "./response.js";

/** The exchange once the model was asked, with its answer. */
export interface Exchanged {
  readonly format: WireFormat;
  readonly framing: Framing;
  readonly request: ModelRequest;
  readonly outcome: Outcome<Delta, Reply>;
  /** The last attempt; undefined where a layer answered without asking. */
  readonly attempt: Attempt | undefined;
}

/** An answer as an event stream: what comes out of the layers, when somebody pulls. */
export function streamed(exchanged: Exchanged, ended: () => Promise<void>): Response {
  const body = bodyOf(new OutgoingStream(exchanged, ended));
  return responseLike(exchanged.attempt?.response, body, exchanged.framing.contentType);
}

/**
 * The body of an answer that streams. Pulls the layers as long as somebody reads; what is ready goes out together when
 * all that the provider has sent is through, and at once where the layers keep the reader waiting.
 */
class OutgoingStream implements BodySource {
  readonly #exchanged: Exchanged;
  readonly #ended: () => Promise<void>;
  readonly #encoder = new TextEncoder();
  readonly #writer: FrameWriter;
  /** The answer as the layers let it through, where it is not made of the provider's events. */
  readonly #ledger = new Ledger();
  #sink: Sink | undefined;
  #next: (() => OutcomeStep<Delta> | undefined) | undefined;
  #own: boolean | undefined;
  /** Whether a reader waits for what comes next. */
  #asked = false;
  /** Whether the layers' answer is being read, or has ended. */
  #reading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The error it failed with, for when what came before has been read. */
  #failed: { readonly error: unknown } | undefined;
  #closed = false;

  constructor(exchanged: Exchanged, ended: () => Promise<void>) {
    this.#exchanged = exchanged;
    this.#ended = ended;
    this.#writer = exchanged.framing.writer();
    const source = exchanged.attempt?.source;
    if (source !== undefined) source.onWait = () => this.#flush();
  }

  pull(sink: Sink): void {
    this.#sink = sink;
    this.#asked = true;
    if (this.#flush()) return;
    if (this.#failed !== undefined) sink.error(this.#failed.error);
    else if (!this.#reading) this.#read(sink);
  }

  /** The run's end lets go of what is not read. */
  cancel(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    return this.#ended();
  }

  /** Reads the layers' answer as long as a reader waits, from `step`, which was waited for, on. */
  #read(sink: Sink, step?: OutcomeStep<Delta>): void {
    this.#reading = true;
    try {
      this.#next ??= readerOf(
        this.#exchanged.outcome,
        (step) => this.#read(sink, step),
        (error) => void this.#fail(sink, error),
      );
      for (let current = step ?? this.#next(); current !== undefined; current = this.#next()) {
        if (!this.#goesOn(sink, current)) return;
      }
      // What a layer keeps the reader waiting for, or the body: that told already that it is waited for.
      if (this.#exchanged.attempt?.source?.drained === false) this.#timer ??= setTimeout(() => this.#flush(), 0);
    } catch (error) {
      void this.#fail(sink, error);
    }
  }

  /** Takes one step of the layers' answer. Whether to read on. */
  #goesOn(sink: Sink, step: OutcomeStep<Delta>): boolean {
    const { attempt } = this.#exchanged;
    // An answer of the provider's in which nothing is said has ended by now, and is no layer's own.
    this.#own ??= (step.done === true ? attempt?.stream !== undefined : attempt?.streams) !== true;
    if (step.done === true) {
      this.#end(sink).catch((error: unknown) => this.#fail(sink, error));
      return false;
    }
    if (this.#own) this.#ledger.add(step.value);
    else attempt?.stream?.write(step.value);
    if (attempt?.source?.drained !== false) this.#flush();
    this.#reading = this.#asked;
    return this.#asked;
  }

  async #end(sink: Sink): Promise<void> {
    await this.#exchanged.outcome.final();
    await this.#ended();
    this.#close(sink, this.#last());
  }

  /** Gives out what is ready, if somebody waits for it and there is anything. */
  #flush(): boolean {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const { attempt } = this.#exchanged;
    const out = attempt?.stream?.out;
    if (!this.#asked || this.#closed || out === undefined || out.length === 0 || this.#own === true) return false;
    // Comments, in front of the first event, are of nobody's answer.
    if (this.#own === undefined && attempt?.over === true) return false;
    if (attempt?.streams === true) this.#own = false;
    const events = out.splice(0);
    const bytes = attempt?.source?.bytesOf(events) ?? this.#encoder.encode(this.#text(events));
    if (bytes.length === 0) return false;
    this.#asked = false;
    this.#sink?.enqueue(bytes);
    return true;
  }

  async #fail(sink: Sink, error: unknown): Promise<void> {
    await this.#ended();
    if (this.#closed) return;
    const { attempt, format } = this.#exchanged;
    attempt?.stream?.settle();
    const last = lastEvent(error, format, attempt?.stream);
    if (last !== undefined) {
      const events = this.#own === true ? [] : (attempt?.stream?.out.splice(0) ?? []);
      this.#close(sink, [...events, last]);
    } else {
      this.#failed = { error };
      this.#own ??= attempt?.stream === undefined;
      if (this.#asked && !this.#flush()) sink.error(error);
    }
  }

  #last(): readonly ServerEvent[] {
    const { attempt, format, request } = this.#exchanged;
    if (this.#own !== true && attempt?.stream !== undefined) {
      attempt.stream.end();
      return attempt.stream.out.splice(0);
    }
    return format.events(ownAnswer(format, request, this.#ledger));
  }

  #close(sink: Sink, events: readonly ServerEvent[]): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#closed = true;
    const isOwn = this.#own === true;
    const trailing = isOwn ? undefined : this.#exchanged.attempt?.source?.trailing;
    const end = (rest: readonly ServerEvent[]): void => {
      this.#enqueue(sink, this.#text(rest) + this.#writer.end(isOwn));
      sink.close();
    };
    this.#enqueue(sink, this.#text(events));
    if (trailing === undefined) end([]);
    else void trailing.then(end).catch(() => {}); // the reader has cancelled the body meanwhile
  }

  #enqueue(sink: Sink, text: string): void {
    if (text !== "") sink.enqueue(this.#encoder.encode(text));
  }

  #text(events: readonly ServerEvent[]): string {
    return events.map((event) => this.#writer.write(event)).join("");
  }
}

/** The event from which the client makes its own error. Returns `undefined` if the body fails with the error itself. */
function lastEvent(error: unknown, format: WireFormat, stream: EventStream | undefined): ServerEvent | undefined {
  if (!FetchError.is(error)) return undefined;
  if (error.code === "ERR_FETCH_REFUSED") {
    const { failure } = stream ?? {};
    return failure?.error === error && failure.event !== undefined ? failure.event : failureEvent(format, error.body);
  }
  return stream !== undefined && error.code === "ERR_FETCH_ANSWER_UNREADABLE" ? stream.unreadable : undefined;
}

/** The event that reports an error with this body. */
export const failureEvent = (format: WireFormat, body: unknown): ServerEvent => ({
  data: textOfValue(body),
  event: format.stream().nameOf(jsonOf(body)),
});
