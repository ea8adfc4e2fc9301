import type { Awaitable } from "@suite/core";
import { TestkitError } from "../errors.js";
import type { ModelAnswer } from "./answer.js";
import type { RecordedRequest } from "./request.js";
import { resolve } from "./resolve.js";

/** Returns the answer to a request. If it returns `undefined`, the client receives a 500. */
export type Responder<Request = RecordedRequest> = (request: Request) => Awaitable<ModelAnswer | undefined>;

/** The scripted answers: first those in the queue, then the responder's. */
export class Script<Request = RecordedRequest> {
  #queue: ModelAnswer[] = [];
  #responder: Responder<Request> | undefined;
  #scripted = 0;

  /** @throws TestkitError `ERR_TESTKIT_INVALID_ANSWER` at once, so that the test fails at its script. */
  add(entries: readonly (ModelAnswer | Responder<Request>)[]): void {
    for (const entry of entries) {
      if (typeof entry === "function") continue;
      if (typeof entry !== "object" || entry === null) {
        throw new TestkitError(
          "ERR_TESTKIT_INVALID_ANSWER",
          "A scripted answer must be an object or a function that returns one.",
        );
      }
      resolve(entry, undefined, 0);
    }
    for (const entry of entries) {
      if (typeof entry === "function") {
        this.#responder = entry;
      } else {
        this.#queue.push(entry);
        this.#scripted++;
      }
    }
  }

  async next(request: Request): Promise<ModelAnswer | undefined> {
    return this.#queue.shift() ?? (await this.#responder?.(request));
  }

  clear(): void {
    this.#queue = [];
    this.#responder = undefined;
    this.#scripted = 0;
  }

  /** The message for a request that finds no answer. */
  get summary(): string {
    if (this.#responder !== undefined) return "The script's function returned no answer to this request.";
    const answers = this.#scripted === 1 ? "1 answer was" : `${this.#scripted} answers were`;
    return `No answer is left in the script: ${answers} scripted, and all are used. Call script(...) with more.`;
  }
}
