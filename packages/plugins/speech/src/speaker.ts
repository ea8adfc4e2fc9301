import { onAbort } from "@suite/core";
import { toBase64 } from "@suite/kit";
import { Clock } from "@suite/kit/time";
import type { AudioChunk } from "./audio-chunk.js";
import { SpeechError } from "./errors.js";
import { Sentences } from "./sentences.js";
import type { Synthesizer } from "./synthesizer.js";

/** The settings of a speaker. */
export interface Speaking {
  readonly synthesizer: Synthesizer;
  readonly speak: "block" | "sentence";
  readonly locale: string | undefined;
  readonly maxCharacters: number;
  readonly maxBytes: number;
  readonly timeout: number;
  /** Called with the reason why a block could not be spoken to its end. */
  readonly failed: (error: unknown) => void;
}

/** The bytes of audio that may wait for the reader before the synthesiser is paused. */
const AHEAD = 4 * 1024 * 1024;
/** The most bytes of one piece. */
const PIECE = 64 * 1024;

/** Speaks the blocks of one reply, one after the other, in parallel with its stream. */
export class Speaker {
  readonly #settings: Speaking;
  readonly #stopped = new AbortController();
  readonly #blocks = new Map<string, Block>();
  #ready: AudioChunk[] = [];
  #readyBytes = 0;
  /** Settles after the current block and all blocks in the queue. */
  #speaking: Promise<void> = Promise.resolve();
  #pending = 0;
  #wake = (): void => {};

  constructor(settings: Speaking) {
    this.#settings = settings;
  }

  /** Adds text to a block, and queues it for speech as soon as the unit is complete. */
  say(at: string, text: string): void {
    let block = this.#blocks.get(at);
    if (block === undefined) {
      block = new Block(at, this.#settings);
      this.#blocks.set(at, block);
    }
    for (const sentence of block.add(text)) this.#speak(block, sentence);
  }

  /** Ends a block. */
  end(at: string): void {
    const block = this.#blocks.get(at);
    if (block === undefined || block.ended) return;
    block.ended = true;
    for (const rest of block.rest()) this.#speak(block, rest);
    this.#do(async () => {
      if (block.index > 0 || block.failed) this.#deliver(block.last());
    });
  }

  endAll(): void {
    for (const at of this.#blocks.keys()) this.end(at);
  }

  /** Returns the audio that is ready, and removes it from the queue. */
  taken(): readonly AudioChunk[] {
    const ready = this.#ready;
    if (ready.length === 0) return ready;
    this.#ready = [];
    this.#readyBytes = 0;
    this.#wake();
    return ready;
  }

  /** Returns the next audio. Returns an empty list if everything was spoken or speech was stopped. */
  async next(): Promise<readonly AudioChunk[]> {
    while (this.#ready.length === 0 && this.#pending > 0 && !this.#stopped.signal.aborted) await this.#changed();
    return this.taken();
  }

  /** Stops all speech because no one listens any more. */
  stop(): void {
    this.#stopped.abort();
    this.#wake();
  }

  #speak(block: Block, text: string): void {
    if (text.trim() === "") return;
    this.#do(async () => {
      if (block.failed || this.#stopped.signal.aborted) return;
      try {
        await this.#synthesize(block, text);
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        block.failed = true;
        this.#settings.failed(error);
      }
    });
  }

  async #synthesize(block: Block, text: string): Promise<void> {
    const { synthesizer, timeout, maxBytes } = this.#settings;
    const limit = new TimeLimit(this.#stopped.signal, timeout);
    try {
      const audio = await limit.within(synthesizer.synthesize(text, { signal: limit.signal }));
      const iterator = iteratorOf(audio);
      try {
        for (;;) {
          const step = await limit.within(iterator.next());
          if (step.done === true) return;
          if (!(step.value instanceof Uint8Array))
            throw new SpeechError("ERR_SPEECH_AUDIO", "A synthesizer must return bytes.");
          block.bytes += step.value.byteLength;
          if (block.bytes > maxBytes) {
            throw new SpeechError("ERR_SPEECH_AUDIO", `The audio of one block is longer than ${maxBytes} bytes.`);
          }
          for (let at = 0; at < step.value.byteLength; at += PIECE)
            this.#deliver(block.piece(step.value.subarray(at, at + PIECE)));
          // Waits for a slow reader. The timeout of the synthesiser does not run meanwhile.
          while (this.#readyBytes > AHEAD && !this.#stopped.signal.aborted) await limit.pausing(this.#changed());
        }
      } finally {
        // Not awaited: it may hang.
        Promise.resolve(iterator.return?.()).then(undefined, () => {});
      }
    } finally {
      limit.end();
    }
  }

  #deliver(chunk: AudioChunk): void {
    this.#ready.push(chunk);
    this.#readyBytes += chunk.data.length;
    this.#wake();
  }

  /** Queues work after all earlier work. Never rejects. */
  #do(work: () => Promise<void>): void {
    this.#pending++;
    this.#speaking = this.#speaking.then(work).then(() => {
      this.#pending--;
      this.#wake();
    });
  }

  /** Resolves when audio has arrived, was taken, or will not come any more. */
  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#wake;
      this.#wake = () => {
        this.#wake = () => {};
        before();
        resolve();
      };
    });
  }
}

/** @throws SpeechError `ERR_SPEECH_AUDIO` */
function iteratorOf(audio: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  if (audio instanceof Uint8Array) return [audio].values();
  if (typeof audio === "object" && audio !== null && Symbol.asyncIterator in audio)
    return (audio as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  throw new SpeechError("ERR_SPEECH_AUDIO", "A synthesizer must return bytes or an async iterable of bytes.");
}

/** A block of text to speak. */
class Block {
  readonly #at: string;
  readonly #mediaType: string;
  readonly #sentences: Sentences | undefined;
  #remaining: number;
  #text = "";
  index = 0;
  bytes = 0;
  ended = false;
  failed = false;

  constructor(at: string, { speak, locale, maxCharacters, synthesizer }: Speaking) {
    this.#at = at;
    this.#mediaType = synthesizer.mediaType;
    this.#remaining = maxCharacters;
    this.#sentences = speak === "sentence" ? new Sentences(locale) : undefined;
  }

  /** Adds text and returns the sentences that it completes. */
  add(text: string): readonly string[] {
    const spoken = text.slice(0, this.#remaining);
    this.#remaining -= spoken.length;
    if (this.#sentences !== undefined) return this.#sentences.add(spoken);
    this.#text += spoken;
    return [];
  }

  /** Returns the text that is not spoken yet. */
  rest(): readonly string[] {
    return this.#sentences?.end() ?? [this.#text];
  }

  piece(bytes: Uint8Array): AudioChunk {
    return { block: this.#at, index: this.index++, mediaType: this.#mediaType, data: toBase64(bytes) };
  }

  last(): AudioChunk {
    return { ...this.piece(new Uint8Array()), end: this.failed ? "failed" : "spoken" };
  }
}

/** The time limit of one synthesis. Its signal aborts when the time has passed. */
class TimeLimit {
  readonly #controller = new AbortController();
  readonly #over: Promise<never>;
  readonly #clock: Clock;
  readonly #off: () => void;
  #reject: (error: unknown) => void = () => {};

  constructor(outer: AbortSignal, timeout: number) {
    this.#over = new Promise<never>((_, reject) => {
      this.#reject = reject;
    });
    this.#over.catch(() => {});
    this.#clock = new Clock(timeout, () =>
      this.#fail(new SpeechError("ERR_SPEECH_TIMEOUT", `The synthesizer took longer than ${timeout} ms.`)),
    );
    this.#clock.start();
    this.#off = onAbort(outer, () => this.#fail(outer.reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  within<T>(work: T | PromiseLike<T>): Promise<T> {
    const settled = Promise.resolve(work);
    settled.catch(() => {}); // ignored after the timeout
    return Promise.race([settled, this.#over]);
  }

  pausing<T>(work: Promise<T>): Promise<T> {
    return this.#clock.paused(work);
  }

  end(): void {
    this.#clock.end();
    this.#off();
    this.#controller.abort();
  }

  #fail(error: unknown): void {
    this.#reject(error);
    this.#controller.abort(error);
  }
}
