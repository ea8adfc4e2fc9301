/** Something that is asked, with how its answer is passed on. */
export interface Pending<Question, Answer> {
  readonly question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Collects questions by key and answers them in batches: one at a time per key, each with all that were asked meanwhile.
 * So many values of one request cost one exchange with a store, and do not compete with each other.
 */
export class Batches<Question, Answer> {
  readonly #waiting = new Map<string, Pending<Question, Answer>[]>();
  readonly #answer: (key: string, batch: readonly Pending<Question, Answer>[]) => Promise<void>;

  /** @param answer resolves or rejects every question of a batch. If it throws, it has answered none. */
  constructor(answer: (key: string, batch: readonly Pending<Question, Answer>[]) => Promise<void>) {
    this.#answer = answer;
  }

  ask(key: string, question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key);
      const pending = { question, resolve, reject };
      if (waiting !== undefined) waiting.push(pending);
      else {
        this.#waiting.set(key, [pending]);
        void this.#work(key);
      }
    });
  }

  async #work(key: string): Promise<void> {
    // Questions of the same turn of the event loop come first.
    await undefined;
    for (;;) {
      const batch = this.#waiting.get(key)?.splice(0) ?? [];
      if (batch.length === 0) break;
      try {
        await this.#answer(key, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#waiting.delete(key);
  }
}
