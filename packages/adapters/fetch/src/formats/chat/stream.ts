import type { Delta, FinishDelta } from "@suite/core";
import { refused } from "../../errors.js";
import { beside, type Json, jsonOf, type Known, numberOf, objectsOf, stringOf, textOfValue } from "../../json.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { jsonIn } from "../../sse/json-event.js";
import type { StreamFormat } from "../format.js";
import { deltaOf, finishOf, known, ofBody, ofChoice, writeReason } from "./answer.js";
import { CallPieces } from "./call-pieces.js";

/** A chunk, and how much of it has come through the layers untouched. */
interface Chunk {
  readonly event: ServerEvent;
  readonly choices: readonly Json[];
  readonly deltas: readonly Delta[];
  through: number;
}

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
  #changed: FinishDelta | undefined;
  readonly #end: ServerEvent[] = [];
  readonly #chunks = new WeakMap<Delta, Chunk>();
  readonly #calls = new CallPieces();
  #open: Chunk | undefined;
  /** What has not come through as it was. Where that is anything, what tells its tokens must not come through either. */
  readonly #missing = new Set<Delta>();
  /** The choices of which somebody has said that the assistant speaks. */
  readonly #spoken = new Set<number>();

  read(event: ServerEvent): readonly Delta[] {
    this.begun = true;
    if (event.data.startsWith("[DONE]")) {
      this.#end.push(event);
      this.finished = true;
      return [this.#finish];
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
    for (const delta of deltas) this.#missing.add(delta);
    const ends = choices.length === 0 ? Boolean(body.usage) : choices.some(({ finish_reason }) => finish_reason);
    if (deltas.length === 0) this.#pass(ends || choices.some(tellsTokens) ? this.#end : this.out, event, choices);
    else if (ends) this.#end.push(eventOf(silent(body, choices)));
    else {
      const chunk = { event, choices, deltas, through: 0 };
      for (const delta of deltas) this.#chunks.set(delta, chunk);
    }
    return deltas;
  }

  cutShort(): readonly Delta[] {
    return this.begun ? [this.#finish] : [];
  }

  write(delta: Delta): void {
    if (delta.type === "finish") {
      if (delta !== this.#finish) this.#changed = delta;
      return;
    }
    this.#missing.delete(delta);
    const chunk = this.#chunks.get(delta);
    if (chunk !== this.#open) this.#part();
    if (chunk?.deltas[chunk.through] !== delta) {
      this.#part();
      this.#fresh(delta);
      return;
    }
    this.#open = chunk;
    if (++chunk.through < chunk.deltas.length) return;
    this.#pass(this.out, chunk.event, chunk.choices);
    this.#open = undefined;
  }

  end(): void {
    this.#part();
    for (const call of this.#calls.withoutArguments()) this.#send(0, call);
    const reason = this.#changed?.finishReason;
    const changed = reason !== undefined && reason !== this.#finish.finishReason;
    const ended = this.#missing.size > 0 ? this.#end.map(withoutTokens) : this.#end;
    this.out.push(...(changed ? ended.map((event) => withReason(event, writeReason(reason))) : ended));
    this.#end.length = 0;
  }

  #said(choice: Json): Delta[] {
    const index = numberOf(choice.index);
    const delta = jsonOf(choice.delta);
    const deltas: Delta[] = [];
    const text = (at: string, type: "text" | "reasoning", content: unknown): void => {
      if (typeof content !== "string" || content === "") return;
      deltas.push({ type: "part", at: `${index}/${at}`, part: { type, content } });
    };
    text("reasoning_content", "reasoning", delta.reasoning_content);
    if (delta.reasoning !== delta.reasoning_content) text("reasoning", "reasoning", delta.reasoning);
    text("content", "text", delta.content);
    text("refusal", "text", delta.refusal);
    this.#calls.read(index, delta, deltas);
    say(deltas, `${index}`, beside(delta, known));
    say(deltas, `${index}/choice`, beside(choice, ofChoice));
    return deltas;
  }

  /** Of a chunk that was broken up, what came through of it. */
  #part(): void {
    const chunk = this.#open;
    this.#open = undefined;
    for (const delta of chunk?.deltas.slice(0, chunk.through) ?? []) this.#fresh(delta);
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

  #pass(to: ServerEvent[], event: ServerEvent, choices: readonly Json[]): void {
    for (const choice of choices) if (jsonOf(choice.delta).role) this.#spoken.add(numberOf(choice.index));
    to.push(event);
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
