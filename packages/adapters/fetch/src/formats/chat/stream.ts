import type { Delta, FinishDelta } from "@suite/core";
import { refused } from "../../errors.js";
import { beside, type Json, jsonOf, type Known, numberOf, objectsOf, stringOf, textOfValue } from "../../json.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { jsonIn } from "../../sse/json-event.js";
import { ChunkLine } from "../chunks.js";
import type { StreamFormat } from "../format.js";
import { deltaOf, finishOf, known, ofBody, ofChoice, writeReason } from "./answer.js";
import { CallPieces } from "./call-pieces.js";
import { ChoicePlaces } from "./places.js";

/**
 * The chunks of a stream of chat completions. What ends a choice waits until all text is through, which may be held back
 * until then.
 */
export class ChatStream implements StreamFormat {
  readonly out: ServerEvent[] = [];
  begun = false;
  finished = false;
  /** What every chunk says: id, model and the like. */
  #head: Json = {};
  #finish: FinishDelta = { type: "finish" };
  #told = false;
  readonly #last: ServerEvent[] = [];
  readonly #places = new ChoicePlaces();
  readonly #calls = new CallPieces();
  /** The choices of which somebody has said that the assistant speaks. */
  readonly #spoken = new Set<number>();
  readonly #line = new ChunkLine<readonly Json[]>({
    pass: (event, choices) => this.#pass(event, choices),
    fresh: (delta) => this.#fresh(delta),
  });

  read(event: ServerEvent): readonly Delta[] {
    this.begun = true;
    if (event.data.startsWith("[DONE]")) {
      this.#last.push(event);
      this.finished = true;
      return this.cutShort();
    }
    const body = jsonIn(event);
    if (body.error) throw refused(200, body);
    const { id, object, created, model, system_fingerprint } = body;
    this.#head = { id, object, created, model, system_fingerprint };
    const choices = objectsOf(body.choices);
    const { type, ...told } = finishOf(body);
    this.#finish = { ...this.#finish, ...told };
    const deltas = choices.flatMap((choice) => this.#said(choice));
    say(deltas, "", beside(body, ofBody));
    const said = deltas.length > 0;
    const ended = choices.filter(({ finish_reason }) => finish_reason);
    const ends = ended.length > 0 || (choices.length === 0 && Boolean(body.usage));
    if (ends) {
      for (const { index } of ended) deltas.push(...this.#places.close(numberOf(index)));
      deltas.push(this.#finish);
      this.#told = true;
      const silentEvent = (): ServerEvent => eventOf(silent(body, choices));
      this.#line.add(event, choices, deltas, { event: said ? undefined : event, silent: silentEvent });
    } else if (said) this.#line.add(event, choices, deltas);
    else if (choices.some(tellsTokens) && !this.#line.untouched) this.#line.hold(event);
    else this.#pass(event, choices);
    return deltas;
  }

  cutShort(): readonly Delta[] {
    return this.begun && !this.#told ? [this.#finish] : [];
  }

  write(delta: Delta): void {
    if (delta !== this.#finish || this.#told) this.#line.write(delta);
  }

  end(): void {
    const waiting = [...this.#line.end(), ...this.#last.splice(0)];
    for (const call of this.#calls.withoutArguments()) this.#send(0, call);
    const reason = this.#line.changed?.finishReason;
    const changed = reason !== undefined && reason !== this.#finish.finishReason;
    const ended = this.#line.untouched ? waiting : waiting.map(withoutTokens);
    this.out.push(...(changed ? ended.map((event) => withReason(event, writeReason(reason))) : ended));
  }

  #said(choice: Json): Delta[] {
    const index = numberOf(choice.index);
    const delta = jsonOf(choice.delta);
    const deltas: Delta[] = [];
    const text = (field: string, type: "text" | "reasoning", content: unknown): void => {
      if (typeof content !== "string" || content === "") return;
      if (type === "text") deltas.push(...this.#places.endReasoning(index));
      deltas.push({ type: "part", at: this.#places.at(index, field, type), part: { type, content } });
    };
    text("reasoning_content", "reasoning", delta.reasoning_content);
    if (delta.reasoning !== delta.reasoning_content) text("reasoning", "reasoning", delta.reasoning);
    text("content", "text", delta.content);
    text("refusal", "text", delta.refusal);
    const before = deltas.length;
    this.#calls.read(index, delta, deltas);
    for (const piece of deltas.slice(before)) if ("at" in piece) this.#places.open(index, piece.at);
    say(deltas, `${index}`, beside(delta, known));
    say(deltas, `${index}/choice`, beside(choice, ofChoice));
    return deltas;
  }

  #fresh(delta: Delta): void {
    if (delta.type === "event") this.#sendExtra(delta.name.split("/").slice(1), jsonOf(delta.value));
    else if (delta.type === "arguments") this.#send(choiceOf(delta.at), this.#calls.writeJson(delta.at, delta.json));
    else if (delta.type === "part" && delta.part.type === "tool_call") {
      this.#send(choiceOf(delta.at), this.#calls.write(delta.at, delta.part));
    } else if (delta.type === "part") this.#send(choiceOf(delta.at), deltaOf(delta.part, delta.at) ?? {});
  }

  #sendExtra([index = "", level]: readonly string[], said: Json): void {
    const extra = withoutDetails(said);
    if (index === "") this.out.push(eventOf({ ...this.#head, choices: [], ...extra }));
    else if (level === undefined) this.#send(Number(index), extra);
    else this.out.push(eventOf({ ...this.#head, choices: [{ index: Number(index), delta: {}, ...extra }] }));
  }

  #pass(event: ServerEvent, choices: readonly Json[]): void {
    for (const choice of choices) if (jsonOf(choice.delta).role) this.#spoken.add(numberOf(choice.index));
    this.out.push(event);
  }

  #send(index: number, said: Json): void {
    if (Object.keys(said).length === 0) return;
    const delta = this.#spoken.has(index) ? said : { role: "assistant", ...said };
    this.#spoken.add(index);
    this.out.push(eventOf({ ...this.#head, choices: [{ index, delta, logprobs: null, finish_reason: null }] }));
  }
}

/** What a chunk says beside what the neutral model has a place for. */
function say(deltas: Delta[], where: string, extra: Json | undefined): void {
  if (extra !== undefined) deltas.push({ type: "event", name: `chat.completion.chunk/${where}`, value: extra });
}

const choiceOf = (at: string): number => (/^\d+\//.test(at) ? Number.parseInt(at, 10) : 0);

/** The end of a chunk without what it says, which goes through the layers. */
const silent = (body: Json, choices: readonly Json[]): Json => ({
  ...only(body, ofBody),
  choices: choices.map((choice) => ({ ...only(choice, ofChoice), delta: {}, logprobs: null })),
});

const only = (object: Json, known: Known): Json =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => known.has(name, value)));

/** Whether the probabilities of tokens are told, which some servers do apart from the text. */
const tellsTokens = ({ logprobs }: Json): boolean =>
  objectsOf(jsonOf(logprobs).content).length > 0 || objectsOf(jsonOf(logprobs).refusal).length > 0;

function withoutTokens(event: ServerEvent): ServerEvent {
  if (!event.data.includes('"logprobs"')) return event;
  const body = jsonIn(event);
  return eventOf({ ...body, choices: objectsOf(body.choices).map((choice) => ({ ...choice, logprobs: null })) });
}

/** Details of reasoning, as OpenRouter tells them, repeat its text piece by piece: of a changed one they say nothing. */
function withoutDetails(extra: Json): Json {
  const { reasoning_details: details, ...rest } = extra;
  if (!Array.isArray(details)) return extra;
  const silent = objectsOf(details).map(({ text, summary, ...detail }) => detail);
  return { ...rest, reasoning_details: silent };
}

function withReason(event: ServerEvent, reason: string): ServerEvent {
  if (event.data.startsWith("[DONE]")) return event;
  const body = jsonIn(event);
  const choices = objectsOf(body.choices).map((choice) =>
    choice.finish_reason ? { ...choice, finish_reason: reason } : choice,
  );
  return eventOf({ ...body, choices });
}

/** A whole completion as the chunks of a stream. */
export function events(body: Json): readonly ServerEvent[] {
  const { choices, usage, ...head } = body;
  const chunk = (more: Json): ServerEvent => eventOf({ ...head, object: "chat.completion.chunk", ...more });
  return [
    ...objectsOf(choices).flatMap(({ index, message, finish_reason }) => {
      const { tool_calls, ...said } = jsonOf(message);
      const calls = objectsOf(tool_calls).map((call, number) => ({ index: number, ...call }));
      const delta = { ...said, ...(calls.length > 0 && { tool_calls: calls }) };
      return [
        chunk({ choices: [{ index, delta, logprobs: null, finish_reason: null }] }),
        chunk({ choices: [{ index, delta: {}, logprobs: null, finish_reason: stringOf(finish_reason) || "stop" }] }),
      ];
    }),
    ...(usage ? [chunk({ choices: [], usage })] : []),
    { data: "[DONE]" },
  ];
}

/** The event of an error in mid-stream. */
export const failure = (body: unknown): ServerEvent => ({ data: textOfValue(body) });
