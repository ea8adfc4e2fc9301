import type { Delta, EventDelta, FinishDelta } from "@suite/core";
import { toMessagesStopReason } from "@suite/wire";
import { beside, type Json, jsonOf } from "../../json.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { ofBody } from "./answer.js";

/** The end of a message, as one event tells it. What it says beside the reason, as why it was refused, goes through the layers. */
export class Ending {
  readonly #event: ServerEvent;
  /** The event's body without what it says beside the reason. */
  readonly #plain: Json;
  readonly #told: EventDelta | undefined;
  readonly #finish: FinishDelta;
  /** The delta that was let through of it. */
  #said: EventDelta | undefined;
  #finished = false;

  constructor(event: ServerEvent, body: Json, finish: FinishDelta) {
    const delta = jsonOf(body.delta);
    const value = beside(delta, ofBody);
    this.#event = event;
    this.#finish = finish;
    this.#told = value && { type: "event", name: "message_delta", value };
    const plain = Object.entries(delta).filter(([key]) => value === undefined || !Object.hasOwn(value, key));
    this.#plain = value === undefined ? body : { ...body, delta: Object.fromEntries(plain) };
  }

  get deltas(): readonly Delta[] {
    return this.#told === undefined ? [this.#finish] : [this.#told, this.#finish];
  }

  /** Whether all of it came through as it was. */
  get untouched(): boolean {
    return this.#finished && this.#said === this.#told;
  }

  say(delta: EventDelta): void {
    this.#said = delta;
  }

  /** Whether this finish mark is of it. */
  takes(finish: FinishDelta): boolean {
    this.#finished ||= finish === this.#finish;
    return finish === this.#finish;
  }

  /** The event of what was let through, with another reason where there is one. */
  written(finishReason: string | undefined): ServerEvent {
    const body = this.#said && { ...this.#plain, delta: { ...jsonOf(this.#plain.delta), ...jsonOf(this.#said.value) } };
    const said = this.#said === this.#told ? undefined : (body ?? this.#plain);
    if (finishReason === undefined) return said === undefined ? this.#event : eventOf(said, "message_delta");
    const ended = said ?? body ?? this.#plain;
    const delta = { ...jsonOf(ended.delta), stop_reason: toMessagesStopReason(finishReason) };
    return eventOf({ ...ended, delta }, "message_delta");
  }
}
