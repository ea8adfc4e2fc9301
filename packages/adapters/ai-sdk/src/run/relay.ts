import type { Delta, Outcome, Reply } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import type { Turn } from "../turn/turn.js";
import { AgentParts, type UserPart } from "./agent-parts.js";
import { SingleReaderSink } from "./sink.js";

/** The controller that a transform uses to emit parts. */
type Controller = ReadableStreamDefaultController<UserPart>;

/**
 * The last transform of a streamed turn. All parts that a user can see pass through the `agent` layers here, for every
 * stream and promise of the result.
 */
export class Relay {
  readonly #parts: AgentParts;
  readonly #output = new SingleReaderSink<UserPart>();
  #controller: Controller | undefined;
  #outcome: Promise<Outcome<Delta, Reply>> | undefined;
  #deltas: AsyncIterator<Delta, Suspended | undefined> | undefined;
  /** The first error part of the framework. */
  #failed: UserPart | undefined;
  /** The error of the framework's stream itself. It is not an error part. */
  #broken: { readonly error: unknown } | undefined;
  /** True if the layers have passed a part. */
  #errorSent = false;
  /** Parts that are emitted after the layers have finished. */
  readonly #tail: UserPart[] = [];
  #over = false;
  /** True if the framework runs again. The parts of its first stream are ignored then. */
  #again = false;

  constructor(readonly turn: Turn) {
    this.#parts = new AgentParts(turn.settings.tools);
  }

  /** Sets the outcome of the `agent` layers that the parts come from. */
  follow(outcome: Promise<Outcome<Delta, Reply>>): void {
    this.#outcome = outcome;
  }

  /** The transform for `experimental_transform`. */
  readonly transform = () => ({
    writable: this.#output.writable,
    readable: new ReadableStream<UserPart>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#advance(),
        cancel: () => this.cancel(),
      },
      { highWaterMark: 0 },
    ),
  });

  /**
   * The agent's answer as deltas. It is not a generator, because that needs four more promises per part.
   *
   * @param again the stream of another run of the framework
   */
  source(again?: ReadableStream<UserPart>): AsyncIterable<Delta, Suspended | undefined> {
    this.#again = again !== undefined;
    const reader: PartReader = again?.getReader() ?? this.#output;
    let finished = false;
    const next = (): Promise<Step> => {
      if (finished) return Promise.resolve({ done: true, value: this.#suspended() });
      return reader.read().then(stepped, broke);
    };
    const stepped = (read: ReadableStreamReadResult<UserPart>): Step | Promise<Step> => {
      const step = this.#step(read);
      finished = step?.value?.type === "finish";
      return step ?? next();
    };
    const broke = (error: unknown): never => {
      this.#broken = { error };
      throw error;
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  /** Returns the delta of a part, or the end. Returns `undefined` for a part that skips the layers. */
  #step({ done, value }: ReadableStreamReadResult<UserPart>): SourceStep | undefined {
    // An answer that failed in the middle continues to its end and fails there.
    if (done && this.#failed !== undefined) throw this.#failed.error;
    if (done) return over;
    if (value.type === "error") {
      this.#failed ??= value;
      // An answer that failed before its first part can be requested again.
      if (!this.#errorSent) throw value.error;
      this.#send(value);
      return undefined;
    }
    if (value.type === "abort") {
      this.#tail.push(value);
      // This is a time limit of the framework. The user's abort has already ended the run.
      void this.turn.run.end(new DOMException(String(value.reason ?? "The turn was aborted."), "AbortError"));
      return over;
    }
    const read = this.#parts.read(value);
    if ("delta" in read) {
      this.#errorSent = true;
      return { done: false, value: read.delta };
    }
    if ("beside" in read) {
      this.#sendOther(read.beside);
      return undefined;
    }
    this.#tail.push(read.end);
    if (this.#failed !== undefined) throw this.#failed.error;
    this.turn.check();
    return { done: false, value: this.#parts.finish };
  }

  /** Returns the suspension of an answer with pending calls. */
  #suspended(): Suspended | undefined {
    const { pending } = this.#parts;
    const { call } = this.turn;
    return pending.length === 0 || call === undefined ? undefined : { suspended: this.turn.suspend({ call }, pending) };
  }

  /** Cancels the turn after all readers have stopped. */
  async cancel(reason?: unknown): Promise<void> {
    this.#over = true;
    await this.turn.opened.catch(() => {});
    // The run ends first, so that inner calls end before outer ones.
    const ended = this.turn.begun?.end(reason);
    this.#output.cancel();
    await ended;
  }

  #sendOther(part: UserPart): void {
    if (part.type === "finish-step") for (const end of this.#parts.late()) this.#send(end);
    this.#send(part);
  }

  #send(part: UserPart): void {
    if (!this.#over) this.#controller?.enqueue(part);
  }

  /** Emits the next part on demand. */
  #advance(): Promise<void> {
    const deltas = this.#deltas;
    if (deltas === undefined) return this.#open().then((opened) => (opened ? this.#advance() : this.#rest()));
    return deltas.next().then(this.#stepped, this.#stopped);
  }

  readonly #stepped = (step: Step): void | Promise<void> => {
    if (step.done === true) return this.#last();
    const parts = this.#parts.write(step.value);
    for (const part of parts) this.#send(part);
    return parts.length > 0 ? undefined : this.#advance();
  };

  readonly #stopped = (error: unknown): void | Promise<void> => {
    if (this.#broken?.error === error) {
      this.#controller?.error(error);
      return;
    }
    const failed = this.#failed;
    const isStreamError = failed !== undefined && failed.error === error;
    if (isStreamError ? !this.#errorSent : !this.turn.run.signal.aborted)
      this.#send(isStreamError ? failed : { type: "error", error });
    return this.#last();
  };

  #last(): Promise<void> {
    for (const part of [...this.#parts.late(), ...this.#tail.splice(0)]) this.#send(part);
    return this.#rest();
  }

  /** Returns true if the layers called the framework. Otherwise the framework reports the result itself. */
  async #open(): Promise<boolean> {
    try {
      const { answered } = await this.turn.opened;
      if (answered !== undefined) return false;
      this.#deltas = (await this.#outcome)?.[Symbol.asyncIterator]();
      return this.#deltas !== undefined;
    } catch {
      return false;
    }
  }

  /** Emits the parts that the framework adds at the end. They contain no text, and the layers have finished. */
  async #rest(): Promise<void> {
    // If the framework was run again, its first stream ends with the run.
    if (this.#again) await this.turn.run.end();
    const opened = this.#deltas !== undefined;
    try {
      for (;;) {
        const { done, value } = await this.#output.read();
        if (done) break;
        if (!this.#again && (!opened || endings.has(value.type))) this.#send(value);
      }
    } catch (error) {
      return this.#controller?.error(error);
    }
    // Parts that the layers read after an abort.
    for (const part of this.#tail.splice(0)) this.#send(part);
    if (!this.#over) this.#controller?.close();
  }
}

type PartReader = Pick<ReadableStreamDefaultReader<UserPart>, "read">;
type Step = IteratorResult<Delta, Suspended | undefined>;
type SourceStep = IteratorResult<Delta, undefined>;

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

const endings: ReadonlySet<string> = new Set(["finish-step", "finish", "abort", "error"]);
