import type { Delta, FinishDelta, FinishReason } from "@suite/core";
import { refused } from "../../errors.js";
import { beside, type Json, type Known, numberOf, objectIn, objectsOf } from "../../json.js";
import type { StreamFormat } from "../../neutral/format.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { jsonIn } from "../../sse/json-event.js";
import { ChunkLine } from "./line.js";
import { ChoicePlaces } from "./places.js";

/** The names and forms by which one protocol of chunks differs from another. */
export interface ChunkForm {
  /** The name of an event that holds what a chunk says beside its pieces. */
  readonly name: string;
  /** The field of a chunk that holds its choices. */
  readonly choices: string;
  /** The field of a choice that tells why it has ended. */
  readonly reason: string;
  /** The field of a choice that tells the probabilities of its tokens. */
  readonly tokens: string;
  /** The fields of a chunk that are read, or in which nobody says anything. */
  readonly ofBody: Known;
  writeReason(reason: FinishReason): string;
  /** Whether a choice tells probabilities, which some servers do apart from the text. */
  tellsTokens(choice: Json): boolean;
  /** A choice without what it says, which goes through the layers. */
  silent(choice: Json): Json;
  /** A choice without the probabilities of its tokens. */
  withoutTokens(choice: Json): Json;
}

/**
 * The chunks of a streamed answer, each with the next pieces of one or several choices. What ends a choice waits until all
 * text is through, which may be held back until then.
 */
export abstract class ChunkStream implements StreamFormat {
  readonly out: ServerEvent[] = [];
  begun = false;
  finished = false;
  protected readonly places = new ChoicePlaces();
  readonly #form: ChunkForm;
  #finish: FinishDelta = { type: "finish" };
  #told = false;
  readonly #line = new ChunkLine<readonly Json[]>({
    pass: (event, choices) => this.pass(event, choices),
    fresh: (delta) => this.fresh(delta),
  });

  constructor(form: ChunkForm) {
    this.#form = form;
  }

  /** Remembers what every chunk says (id, model and the like), and gives what this one tells of the end. */
  protected abstract head(body: Json): FinishDelta;
  /** The pieces of a choice. */
  protected abstract said(choice: Json): Delta[];
  /** Sends a piece that a layer made, or that came of a chunk which did not come through whole. */
  protected abstract fresh(delta: Delta): void;
  /** Sends the last pieces, before the ends. */
  protected abstract last(): void;

  /** Sends a chunk as it came. */
  protected pass(event: ServerEvent, _choices: readonly Json[]): void {
    this.out.push(event);
  }

  /** Whether a chunk without the reason of a choice ends the answer. */
  protected endsAnswer(_body: Json, _choices: readonly Json[]): boolean {
    return false;
  }

  read(event: ServerEvent): readonly Delta[] {
    this.begun = true;
    const body = jsonIn(event);
    if (body.error) throw refused(200, body);
    const { choices: field, reason, name, ofBody, silent, tellsTokens } = this.#form;
    const choices = objectsOf(body[field]);
    this.#finish = { ...this.#finish, ...this.head(body) };
    const deltas = choices.flatMap((choice) => this.said(choice));
    say(deltas, `${name}/`, beside(body, ofBody));
    const said = deltas.length > 0;
    const ended = choices.filter((choice) => choice[reason]);
    if (ended.length > 0 || this.endsAnswer(body, choices)) {
      for (const { index } of ended) deltas.push(...this.places.close(numberOf(index)));
      deltas.push(this.#finish);
      this.#told = true;
      this.#line.add(event, choices, deltas, {
        event: said ? undefined : event,
        silent: () => eventOf({ ...only(body, ofBody), [field]: choices.map(silent) }),
      });
    } else if (said) this.#line.add(event, choices, deltas);
    else if (choices.some(tellsTokens) && !this.#line.untouched) this.#line.hold(event);
    else this.pass(event, choices);
    return deltas;
  }

  cutShort(): readonly Delta[] {
    return this.begun && !this.#told ? [this.#finish] : [];
  }

  write(delta: Delta): void {
    if (delta !== this.#finish || this.#told) this.#line.write(delta);
  }

  end(): void {
    const ended = this.#line.end();
    this.last();
    const { finishReason } = this.#line.changed ?? {};
    const changed = finishReason === this.#finish.finishReason ? undefined : finishReason;
    for (const event of ended) this.out.push(this.#ending(event, changed));
  }

  /** An event that ends something, without the probabilities of a changed text and with a changed reason. */
  #ending(event: ServerEvent, finishReason: FinishReason | undefined): ServerEvent {
    const { choices: field, reason, tokens, writeReason, withoutTokens } = this.#form;
    const tells = !this.#line.untouched && event.data.includes(`"${tokens}"`);
    const body = tells || finishReason !== undefined ? objectIn(event.data) : undefined;
    if (body === undefined) return event;
    const choices = objectsOf(body[field])
      .map((choice) => (tells ? withoutTokens(choice) : choice))
      .map((choice) =>
        finishReason !== undefined && choice[reason] ? { ...choice, [reason]: writeReason(finishReason) } : choice,
      );
    return eventOf({ ...body, [field]: choices });
  }
}

/** Adds what a chunk says beside what the neutral model has a place for. */
export function say(deltas: Delta[], name: string, extra: Json | undefined): void {
  if (extra !== undefined) deltas.push({ type: "event", name, value: extra });
}

/** An object's fields of these names. */
export const only = (object: Json, known: Known): Json =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => known.has(name, value)));
