import type { Delta } from "@suite/core";
import { FetchError } from "../errors.js";
import { jsonOf, parsed } from "../json.js";
import { Ledger } from "../neutral/ledger.js";
import { type ServerEvent, serialise } from "../sse/event.js";
import type { Exchanged } from "./exchange.js";
import { eventStream, responseLike } from "./response.js";
import { ownAnswer } from "./whole.js";

/** An answer as an event stream: what comes out of the layers, when somebody pulls. */
export function streamed(exchanged: Exchanged, ended: () => Promise<void>): Response {
  const body = new ReadableStream<Uint8Array>(new OutgoingStream(exchanged, ended), { highWaterMark: 0 });
  return responseLike(exchanged.attempt?.response, body, eventStream);
}

class OutgoingStream implements UnderlyingDefaultSource<Uint8Array> {
  readonly #exchanged: Exchanged;
  readonly #ended: () => Promise<void>;
  readonly #encoder = new TextEncoder();
  /** What is collected where the answer is not made of the provider's events. */
  readonly #ledger = new Ledger();
  #deltas: AsyncIterator<Delta, unknown> | undefined;
  #own: boolean | undefined;
  /** What it failed with, once what came before has been read. */
  #failed: { readonly error: unknown } | undefined;

  constructor(exchanged: Exchanged, ended: () => Promise<void>) {
    this.#exchanged = exchanged;
    this.#ended = ended;
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#failed !== undefined) throw this.#failed.error;
    try {
      await this.#pull(controller);
    } catch (error) {
      await this.#ended();
      const { attempt, format } = this.#exchanged;
      const events = this.#own === true ? [] : (attempt?.stream?.out.splice(0) ?? []);
      const told = FetchError.is(error) && error.code === "ERR_FETCH_REFUSED";
      if (told) events.push(format.failure(error.body));
      if (events.length === 0) throw error;
      this.#enqueue(controller, events);
      if (told) controller.close();
      else this.#failed = { error };
    }
  }

  /** The run's end lets go of what is not read. */
  cancel(): Promise<void> {
    return this.#ended();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { outcome, attempt } = this.#exchanged;
    this.#deltas ??= outcome[Symbol.asyncIterator]();
    for (;;) {
      const step = await this.#deltas.next();
      // An answer of the provider's in which nothing is said has ended by now, and is no layer's own.
      this.#own ??= (step.done === true ? attempt?.stream?.begun : attempt?.streams) !== true;
      const stream = this.#own ? undefined : attempt?.stream;
      if (step.done === true) break;
      if (stream === undefined) this.#ledger.add(step.value);
      else {
        stream.write(step.value);
        if (this.#enqueue(controller, stream.out.splice(0))) return;
      }
    }
    await outcome.final();
    await this.#ended();
    this.#enqueue(controller, this.#last());
    controller.close();
  }

  #last(): readonly ServerEvent[] {
    const { attempt, format, request } = this.#exchanged;
    if (this.#own !== true && attempt?.stream !== undefined) {
      attempt.stream.end();
      return attempt.stream.out.splice(0);
    }
    const whole = attempt?.whole?.written(this.#ledger);
    return format.events(whole === undefined ? ownAnswer(format, request, this.#ledger) : jsonOf(parsed(whole)));
  }

  #enqueue(controller: ReadableStreamDefaultController<Uint8Array>, events: readonly ServerEvent[]): boolean {
    if (events.length === 0) return false;
    controller.enqueue(this.#encoder.encode(events.map(serialise).join("")));
    return true;
  }
}
