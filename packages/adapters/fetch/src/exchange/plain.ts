import type { Delta, ModelRequest, Outcome, Reply } from "@suite/core";
import { type OutcomeStep, readerOf } from "@suite/core/framework";
import { answerIn, type Json } from "../json.js";
import type { AnswerView, Draft, WireFormat } from "../neutral/format.js";
import { Ledger } from "../neutral/ledger.js";
import { writeAnswer } from "../neutral/write.js";

/** An answer that does not stream. */
export class PlainAnswer {
  readonly #text: string;
  readonly #view: AnswerView;
  readonly #body: Draft;

  /** @throws FetchError `ERR_FETCH_ANSWER_UNREADABLE` */
  constructor(text: string, format: WireFormat) {
    this.#text = text;
    this.#body = answerIn(text);
    this.#view = format.answer(this.#body);
  }

  /** The answer as a reply. */
  get reply(): Reply {
    const { type: _, ...finish } = this.#view.finish;
    return { message: { role: "assistant", parts: this.#view.slots.map(({ part }) => part) }, ...finish };
  }

  /** The answer's text where all of it came through untouched, else one that says what did. */
  written(ledger: Ledger): string {
    return writeAnswer(this.#view, ledger, this.#view.finish) ? JSON.stringify(this.#body) : this.#text;
  }
}

/** An answer that a layer gave by itself, in the words of the protocol. */
export function ownAnswer(format: WireFormat, request: ModelRequest, ledger: Ledger): Json {
  const body = format.empty(request);
  const { id, model } = ledger.finish?.response ?? {};
  Object.assign(body, id !== undefined && { id }, model !== undefined && { model });
  writeAnswer(format.answer(body), ledger, { type: "finish" });
  return body;
}

/**
 * The whole of an answer as it is let through. Without a promise where nothing of it has to be waited for.
 *
 * @throws CoreError `ERR_SUSPENDED`; what the answer fails with.
 */
export function collected(outcome: Outcome<Delta, Reply>): Ledger | Promise<Ledger> {
  const ledger = new Ledger();
  let told: (step: OutcomeStep<Delta>) => void;
  let failure: { readonly error: unknown } | undefined;
  let failed = (error: unknown): void => {
    failure = { error };
  };
  const next = readerOf(
    outcome,
    (step) => told(step),
    (error) => failed(error),
  );
  const read = (waited?: OutcomeStep<Delta>): Ledger | Promise<Ledger> | undefined => {
    let step = waited ?? next();
    for (; step?.done === false; step = next()) ledger.add(step.value);
    if (step === undefined) return undefined;
    return step.value === undefined ? ledger : outcome.final().then(() => ledger); // of what is suspended it throws
  };
  const all = read();
  if (all !== undefined) return all;
  if (failure !== undefined) throw failure.error;
  return new Promise((resolve, reject) => {
    failed = reject;
    told = (step) => {
      const rest = read(step);
      if (rest !== undefined) resolve(rest);
    };
  });
}
