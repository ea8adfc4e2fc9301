import type { StateStore } from "@suite/core";
import type { SpanIds } from "@suite/core/propagation";
import { ResilienceError } from "../errors.js";

/** The record of a tool call that can be undone. Contains all that the undo needs, in any process. */
export interface Note {
  readonly toolCallId: string;
  readonly tool: string;
  readonly input: unknown;
  /** Milliseconds since the epoch. */
  readonly calledAt: number;
  readonly result?: unknown;
  /** `begun`: the tool was called, and its outcome is unknown. `done`: it completed. `failed`: its undo failed. */
  readonly state: "begun" | "done" | "failed";
  readonly span?: SpanIds;
}

/** A note with its number. */
export interface Noted {
  readonly number: number;
  readonly note: Note;
}

/** Keeps the notes of runs in a store. Each note has its own key, numbered in the order of the calls. */
export class Journal {
  readonly #store: StateStore;
  readonly #ttl: number;

  constructor(store: StateStore, ttl: number) {
    this.#store = store;
    this.#ttl = ttl;
  }

  /**
   * Records a call before it is made.
   *
   * @returns the number of the note
   * @throws ResilienceError `ERR_RESILIENCE_UNDONE` if the run was undone
   */
  async begin(run: string, note: Note): Promise<number> {
    const { total: number } = await this.#store.add(countKey(run), 1, { ttl: this.#ttl });
    await this.#store.compareAndSet(noteKey(run, number), undefined, note, { ttl: this.#ttl });
    // Check after writing the note: an undo marks the run first and then reads the notes.
    if ((await this.#store.get(undoneKey(run))) === undefined) return number;
    await this.drop(run, number);
    throw new ResilienceError(
      "ERR_RESILIENCE_UNDONE",
      "This run was undone, including the effects of its tools, and cannot be resumed. Start a new run.",
    );
  }

  /** Records the result of the call, or that its undo failed. */
  async change(run: string, number: number, changes: Partial<Note>): Promise<void> {
    for (;;) {
      const stored = await this.#store.get(noteKey(run, number));
      if (stored === undefined) return; // undone meanwhile
      const note = { ...(stored.value as Note), ...changes };
      if (await this.#store.compareAndSet(noteKey(run, number), stored.version, note, { ttl: this.#ttl })) return;
    }
  }

  /** Returns the current note, or `undefined` if the call was undone. */
  async note(run: string, number: number): Promise<Note | undefined> {
    return (await this.#store.get(noteKey(run, number)))?.value as Note | undefined;
  }

  /** Removes the note of a call that did nothing or was undone. */
  async drop(run: string, number: number): Promise<void> {
    await this.#store.delete(noteKey(run, number));
  }

  /** Returns the notes of a run, latest call first. */
  async notes(run: string): Promise<readonly Noted[]> {
    const notes: Noted[] = [];
    for (let number = await this.#count(run); number > 0; number--) {
      const stored = await this.#store.get(noteKey(run, number));
      if (stored !== undefined) notes.push({ number, note: stored.value as Note });
    }
    return notes;
  }

  /** Claims the undo of a call. Returns true for the first caller only, across all processes. */
  async claim(run: string, number: number): Promise<boolean> {
    return this.#store.claim(`${noteKey(run, number)}/claim`, { ttl: this.#ttl });
  }

  /** Marks a run as undone, so that it cannot continue. */
  async close(run: string): Promise<void> {
    await this.#store.compareAndSet(undoneKey(run), undefined, true, { ttl: this.#ttl });
  }

  /** Removes the notes of a run that completed. */
  async forget(run: string): Promise<void> {
    const count = await this.#count(run);
    for (let number = 1; number <= count; number++) await this.drop(run, number);
    await this.#store.delete(countKey(run));
  }

  async #count(run: string): Promise<number> {
    return (await this.#store.add(countKey(run), 0, { ttl: this.#ttl })).total;
  }
}

const countKey = (run: string): string => `undo/${run}/count`;
const undoneKey = (run: string): string => `undo/${run}/undone`;
const noteKey = (run: string, number: number): string => `undo/${run}/${number}`;
