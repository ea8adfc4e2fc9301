import type { Delta, Outcome, Reply, Suspended } from "@suite/core";
import type { Turn } from "../turn/turn.js";
import { AgentParts, type UserPart } from "./agent-parts.js";
import { SingleReaderSink } from "./sink.js";

/** The controller by which a transform gives parts to the next one. */
type Controller = ReadableStreamDefaultController<UserPart>;

/**
 * The last transform of a streamed turn: all that a user can see goes through the `agent` layers here, whichever way the
 * user looks at it.
 */
export class Relay {
  readonly #parts: AgentParts;
  readonly #given = new SingleReaderSink<UserPart>();
  #controller: Controller | undefined;
  #outcome: Promise<Outcome<Delta, Reply>> | undefined;
  #deltas: AsyncIterator<Delta, Suspended | undefined> | undefined;
  /** The framework's first error part. */
  #failed: UserPart | undefined;
  /** The error that the framework's stream itself broke with, which is no error part. */
  #broken: { readonly error: unknown } | undefined;
  /** Whether the layers have let something through. */
  #said = false;
  /** Parts that come after the layers are done. */
  readonly #tail: UserPart[] = [];
  #over = false;
  /** Whether the framework was run anew: its first stream counts for nothing then. */
  #again = false;

  constructor(readonly turn: Turn) {
    this.#parts = new AgentParts(turn.settings.tools);
  }

  /** Sets the answer that the parts come from, as the `agent` layers leave it. */
  follow(outcome: Promise<Outcome<Delta, Reply>>): void {
    this.#outcome = outcome;
  }

  /** The transform, as `experimental_transform` takes it. */
  readonly transform = () => ({
    writable: this.#given.writable,
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
   * The agent's answer: what the framework gives, read as deltas. By hand and not a generator, which would cost four promises
   * more a part.
   *
   * @param again what it gives when it is run anew.
   */
  source(again?: ReadableStream<UserPart>): AsyncIterable<Delta, Suspended | undefined> {
    this.#again = again !== undefined;
    const reader: PartReader = again?.getReader() ?? this.#given;
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

  /** The delta of one part, or the end; undefined for a part that passes beside the layers. */
  #step({ done, value }: ReadableStreamReadResult<UserPart>): SourceStep | undefined {
    // One that failed amid its answer goes on to its end, and has failed then.
    if (done && this.#failed !== undefined) throw this.#failed.error;
    if (done) return over;
    if (value.type === "error") {
      this.#failed ??= value;
      // One that failed at once can still be asked again.
      if (!this.#said) throw value.error;
      this.#give(value);
      return undefined;
    }
    if (value.type === "abort") {
      this.#tail.push(value);
      // The framework's own time limits: the user's abort has ended the run already.
      void this.turn.run.end(new DOMException(String(value.reason ?? "The turn was aborted."), "AbortError"));
      return over;
    }
    const read = this.#parts.read(value);
    if ("delta" in read) {
      this.#said = true;
      return { done: false, value: read.delta };
    }
    if ("beside" in read) {
      this.#beside(read.beside);
      return undefined;
    }
    this.#tail.push(read.end);
    if (this.#failed !== undefined) throw this.#failed.error;
    this.turn.check();
    return { done: false, value: this.#parts.finish };
  }

  /** The suspension of an answer that leaves calls waiting. */
  #suspended(): Suspended | undefined {
    const { pending } = this.#parts;
    const { call } = this.turn;
    return pending.length === 0 || call === undefined ? undefined : { suspended: this.turn.suspend({ call }, pending) };
  }

  /** Cancels the turn: nobody reads any more. */
  async cancel(reason?: unknown): Promise<void> {
    this.#over = true;
    await this.turn.opened.catch(() => {});
    // First the run: it ends what is inside before what is round it.
    const ended = this.turn.begun?.end(reason);
    this.#given.cancel();
    await ended;
  }

  #beside(part: UserPart): void {
    if (part.type === "finish-step") for (const end of this.#parts.late()) this.#give(end);
    this.#give(part);
  }

  #give(part: UserPart): void {
    if (!this.#over) this.#controller?.enqueue(part);
  }

  /** Gives the next part, when one is wanted. */
  #advance(): Promise<void> {
    const deltas = this.#deltas;
    if (deltas === undefined) return this.#open().then((opened) => (opened ? this.#advance() : this.#rest()));
    return deltas.next().then(this.#stepped, this.#stopped);
  }

  readonly #stepped = (step: Step): void | Promise<void> => {
    if (step.done === true) return this.#last();
    const parts = this.#parts.write(step.value);
    for (const part of parts) this.#give(part);
    return parts.length > 0 ? undefined : this.#advance();
  };

  readonly #stopped = (error: unknown): void | Promise<void> => {
    if (this.#broken?.error === error) {
      this.#controller?.error(error);
      return;
    }
    const failed = this.#failed;
    const own = failed !== undefined && failed.error === error;
    if (own ? !this.#said : !this.turn.run.signal.aborted) this.#give(own ? failed : { type: "error", error });
    return this.#last();
  };

  #last(): Promise<void> {
    for (const part of [...this.#parts.late(), ...this.#tail.splice(0)]) this.#give(part);
    return this.#rest();
  }

  /** Whether the layers entered: else the framework tells itself what there is to tell. */
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

  /** Gives the parts that the framework adds after the end: nothing that was said, and the layers are done. */
  async #rest(): Promise<void> {
    // What was asked first, where the framework was run anew, ends with the run.
    if (this.#again) await this.turn.run.end();
    const opened = this.#deltas !== undefined;
    try {
      for (;;) {
        const { done, value } = await this.#given.read();
        if (done) break;
        if (!this.#again && (!opened || endings.has(value.type))) this.#give(value);
      }
    } catch (error) {
      return this.#controller?.error(error);
    }
    // What the layers' own read of an aborted turn came upon.
    for (const part of this.#tail.splice(0)) this.#give(part);
    if (!this.#over) this.#controller?.close();
  }
}

type PartReader = Pick<ReadableStreamDefaultReader<UserPart>, "read">;
type Step = IteratorResult<Delta, Suspended | undefined>;
type SourceStep = IteratorResult<Delta, undefined>;

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

const endings: ReadonlySet<string> = new Set(["finish-step", "finish", "abort", "error"]);
