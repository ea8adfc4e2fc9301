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
import { Ledger, layerAnswer } from "./plain.js";
import { responseLike } from "./response.js";

/** An exchange after the call of the model, with its answer. */
export interface Exchanged {
  readonly format: WireFormat;
  readonly framing: Framing;
  readonly request: ModelRequest;
  readonly outcome: Outcome<Delta, Reply>;
  /** The last attempt. `undefined` if a layer answered without a request. */
  readonly attempt: Attempt | undefined;
}

/** Creates a response that streams the answer from the layers on demand. */
export function streamed(exchanged: Exchanged, ended: () => Promise<void>): Response {
  const body = bodyOf(new OutgoingStream(exchanged, ended));
  return responseLike(exchanged.attempt?.response, body, exchanged.framing.contentType);
}

/**
 * The body of a streamed answer. Reads from the layers while a reader waits. Finished events are sent together when all
 * received data has passed the layers, or at once if the layers make the reader wait.
 */
class OutgoingStream implements BodySource {
  readonly #exchanged: Exchanged;
  readonly #ended: () => Promise<void>;
  readonly #encoder = new TextEncoder();
  readonly #writer: FrameWriter;
  /** The answer of the layers, if it does not consist of the provider's events. */
  readonly #ledger = new Ledger();
  #sink: Sink | undefined;
  #next: (() => OutcomeStep<Delta> | undefined) | undefined;
  #fromLayer: boolean | undefined;
  /** True if a reader waits for the next chunk. */
  #requested = false;
  /** True if the answer of the layers is being read or has ended. */
  #reading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The error of the answer. It is reported after all earlier events have been read. */
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
    this.#requested = true;
    if (this.#flush()) return;
    if (this.#failed !== undefined) sink.error(this.#failed.error);
    else if (!this.#reading) this.#read(sink);
  }

  /** Ends the run, which releases everything that was not read. */
  cancel(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    return this.#ended();
  }

  /** Reads the answer of the layers while a reader waits. @param step a step that was awaited, if there is one */
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
      // Sends finished events if a layer makes the reader wait. If the body does, `onWait` has sent them already.
      if (this.#exchanged.attempt?.source?.drained === false) this.#timer ??= setTimeout(() => this.#flush(), 0);
    } catch (error) {
      void this.#fail(sink, error);
    }
  }

  /** Handles one step of the answer. Returns true if reading continues. */
  #goesOn(sink: Sink, step: OutcomeStep<Delta>): boolean {
    const { attempt } = this.#exchanged;
    // If the answer of the provider is empty, its stream has ended by now, but no layer made the answer.
    this.#fromLayer ??= (step.done === true ? attempt?.stream !== undefined : attempt?.streams) !== true;
    if (step.done === true) {
      this.#end(sink).catch((error: unknown) => this.#fail(sink, error));
      return false;
    }
    if (this.#fromLayer) this.#ledger.add(step.value);
    else attempt?.stream?.write(step.value);
    if (attempt?.source?.drained !== false) this.#flush();
    this.#reading = this.#requested;
    return this.#requested;
  }

  async #end(sink: Sink): Promise<void> {
    await this.#exchanged.outcome.final();
    await this.#ended();
    this.#close(sink, this.#last());
  }

  /** Sends the finished events if a reader waits and there are any. Returns true if it sent a chunk. */
  #flush(): boolean {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    const { attempt } = this.#exchanged;
    const out = attempt?.stream?.out;
    if (!this.#requested || this.#closed || out === undefined || out.length === 0 || this.#fromLayer === true)
      return false;
    // Comments before the first event do not decide which answer is sent.
    if (this.#fromLayer === undefined && attempt?.over === true) return false;
    if (attempt?.streams === true) this.#fromLayer = false;
    const events = out.splice(0);
    const bytes = attempt?.source?.bytesOf(events) ?? this.#encoder.encode(this.#text(events));
    if (bytes.length === 0) return false;
    this.#requested = false;
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
      const events = this.#fromLayer === true ? [] : (attempt?.stream?.out.splice(0) ?? []);
      this.#close(sink, [...events, last]);
    } else {
      this.#failed = { error };
      this.#fromLayer ??= attempt?.stream === undefined;
      if (this.#requested && !this.#flush()) sink.error(error);
    }
  }

  #last(): readonly ServerEvent[] {
    const { attempt, format, request } = this.#exchanged;
    if (this.#fromLayer !== true && attempt?.stream !== undefined) {
      attempt.stream.end();
      return attempt.stream.out.splice(0);
    }
    return format.events(layerAnswer(format, request, this.#ledger));
  }

  #close(sink: Sink, events: readonly ServerEvent[]): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#closed = true;
    const fromLayer = this.#fromLayer === true;
    const trailing = fromLayer ? undefined : this.#exchanged.attempt?.source?.trailing;
    const end = (rest: readonly ServerEvent[]): void => {
      this.#enqueue(sink, this.#text(rest) + this.#writer.end(fromLayer));
      sink.close();
    };
    this.#enqueue(sink, this.#text(events));
    if (trailing === undefined) end([]);
    else void trailing.then(end).catch(() => {}); // the reader has cancelled the body in the meantime
  }

  #enqueue(sink: Sink, text: string): void {
    if (text !== "") sink.enqueue(this.#encoder.encode(text));
  }

  #text(events: readonly ServerEvent[]): string {
    return events.map((event) => this.#writer.write(event)).join("");
  }
}

/**
 * Returns the event that makes the client create its error. Returns `undefined` if the body fails with the error
 * itself.
 */
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
