import type { Delta, ModelRequest, Outcome, Part, Reply } from "@suite/core";
import { AnswerEditor, type Draft, type Edit } from "@suite/core/editor";
import { type OutcomeStep, readerOf } from "@suite/core/framework";
import { assembleReply, type FinishDelta } from "@suite/core/messages";
import { type Json, objectIn } from "../json.js";
import type { WireFormat } from "../neutral/format.js";

/** The parts that the layers passed, by place. */
export class Ledger {
  readonly #deltas = new Map<string, Delta[]>();
  finish: FinishDelta | undefined;

  add(delta: Delta): void {
    if (delta.type === "finish") this.finish = { ...this.finish, ...delta };
    else if (delta.type !== "event") {
      const known = this.#deltas.get(delta.at);
      if (known === undefined) this.#deltas.set(delta.at, [delta]);
      else known.push(delta);
    }
  }

  /** The places, in order of first appearance. */
  partIds(): IterableIterator<string> {
    return this.#deltas.keys();
  }

  /** Returns the part that the pieces of a place form. */
  part(at: string): Part | undefined {
    const deltas = this.#deltas.get(at);
    if (deltas === undefined) return undefined;
    const [only] = deltas;
    if (deltas.length === 1 && only?.type === "part") return only.part;
    return assembleReply(deltas).message.parts[0];
  }
}

/** An answer that does not stream. */
export class CompleteAnswer {
  readonly #text: string;
  readonly #format: WireFormat;
  readonly #body: Draft;
  readonly #editor: AnswerEditor;
  readonly #isJson: boolean;

  constructor(text: string, format: WireFormat) {
    const body = objectIn(text);
    this.#text = text;
    this.#format = format;
    this.#isJson = body !== undefined;
    this.#body = (body as Draft | undefined) ?? { text };
    this.#editor = new AnswerEditor(this.#body, body === undefined ? readText : format.answer);
  }

  /** The answer as a reply. One that is not a JSON object, such as a page of a proxy, is a value for guards to see. */
  get reply(): Reply {
    return this.#editor.reply;
  }

  /** Returns the original text if no layer changed the answer, otherwise the changed body. */
  written(ledger: Ledger): string {
    if (!writeAnswer(this.#editor, ledger, (part) => this.#format.append(this.#body, part))) return this.#text;
    return this.#isJson ? JSON.stringify(this.#body) : String(this.#body.text);
  }
}

const readText = (edit: Edit): void =>
  edit.value("answer", edit.body.text, (value) => {
    edit.body.text = value ?? "";
  });

/** Returns the answer of a layer that answered by itself, in the form of the protocol. */
export function layerAnswer(format: WireFormat, request: ModelRequest, ledger: Ledger): Json {
  const body = format.empty(request);
  const { id, model } = ledger.finish?.response ?? {};
  Object.assign(body, id !== undefined && { id }, model !== undefined && { model });
  for (const at of ledger.partIds()) {
    const part = ledger.part(at);
    if (part !== undefined) format.append(body, part);
  }
  const editor = new AnswerEditor(body, format.answer);
  editor.write((index) => editor.reply.message.parts[index], ledger.finish);
  return body;
}

/** Updates an answer with the parts that the layers returned. Returns true if the answer has changed. */
function writeAnswer(editor: AnswerEditor, ledger: Ledger, append: (part: Part) => void): boolean {
  const { message, usage, finishReason } = editor.reply;
  const added = new Set(ledger.partIds());
  const { finish } = ledger;
  const ended = finish !== undefined && (finish.finishReason !== finishReason || finish.usage !== usage);
  const changed = editor.write(
    (index) => {
      const part = ledger.part(`${index}`);
      if (part?.type === message.parts[index]?.type) added.delete(`${index}`);
      return part;
    },
    ended ? finish : undefined,
  );
  for (const at of added) {
    const part = ledger.part(at);
    if (part !== undefined) append(part);
  }
  return changed || added.size > 0;
}

/**
 * Collects the whole answer that the layers passed. Returns no promise if all of it is there.
 *
 * @throws CoreError `ERR_SUSPENDED`; the error that the answer failed with.
 */
export function collected(outcome: Outcome<Delta, Reply>): Ledger | Promise<Ledger> {
  const ledger = new Ledger();
  let onStep: (step: OutcomeStep<Delta>) => void;
  let failure: { readonly error: unknown } | undefined;
  let failed = (error: unknown): void => {
    failure = { error };
  };
  const next = readerOf(
    outcome,
    (step) => onStep(step),
    (error) => failed(error),
  );
  const read = (waited?: OutcomeStep<Delta>): Ledger | Promise<Ledger> | undefined => {
    let step = waited ?? next();
    for (; step?.done === false; step = next()) ledger.add(step.value);
    if (step === undefined) return undefined;
    return step.value === undefined ? ledger : outcome.final().then(() => ledger); // throws if the answer is suspended
  };
  const all = read();
  if (all !== undefined) return all;
  if (failure !== undefined) throw failure.error;
  return new Promise((resolve, reject) => {
    failed = reject;
    onStep = (step) => {
      const rest = read(step);
      if (rest !== undefined) resolve(rest);
    };
  });
}
