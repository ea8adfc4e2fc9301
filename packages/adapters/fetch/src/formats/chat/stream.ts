import type { Delta, FinishDelta } from "@suite/core";
import { toChatFinishReason } from "@suite/wire";
import { beside, type Json, jsonOf, numberOf, objectsOf, stringOf, textOfValue } from "../../json.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { isDone } from "../../sse/json-event.js";
import { type ChunkForm, ChunkStream, only, say } from "../chunks/stream.js";
import { deltaOf, finishOf, known, ofBody, ofChoice } from "./answer.js";
import { CallPieces } from "./call-pieces.js";

const form: ChunkForm = {
  ...{ name: "chat.completion.chunk", choices: "choices", reason: "finish_reason", tokens: "logprobs" },
  ofBody,
  writeReason: toChatFinishReason,
  tellsTokens: ({ logprobs }) =>
    objectsOf(jsonOf(logprobs).content).length > 0 || objectsOf(jsonOf(logprobs).refusal).length > 0,
  silent: (choice) => ({ ...only(choice, ofChoice), delta: {}, logprobs: null }),
  withoutTokens: (choice) => ({ ...choice, logprobs: null }),
};

/** The chunks of a stream of chat completions. */
export class ChatStream extends ChunkStream {
  /** The fields of every chunk: id, model and the like. */
  #head: Json = {};
  readonly #done: ServerEvent[] = [];
  readonly #calls = new CallPieces();
  /** The choices of which somebody has said that the assistant speaks. */
  readonly #spoken = new Set<number>();

  constructor() {
    super(form);
  }

  override read(event: ServerEvent): readonly Delta[] {
    if (!isDone(event)) return super.read(event);
    this.begun = true;
    this.#done.push(event);
    this.finished = true;
    return this.cutShort();
  }

  override end(): void {
    super.end();
    this.out.push(...this.#done.splice(0));
  }

  protected head(body: Json): FinishDelta {
    const { id, object, created, model, system_fingerprint } = body;
    this.#head = { id, object, created, model, system_fingerprint };
    return finishOf(body);
  }

  protected override endsAnswer({ usage }: Json, choices: readonly Json[]): boolean {
    return choices.length === 0 && Boolean(usage);
  }

  protected said(choice: Json): Delta[] {
    const index = numberOf(choice.index);
    const delta = jsonOf(choice.delta);
    const deltas: Delta[] = [];
    const text = (field: string, type: "text" | "reasoning", content: unknown): void => {
      if (typeof content !== "string" || content === "") return;
      if (type === "text") deltas.push(...this.places.endReasoning(index));
      deltas.push({ type: "part", at: this.places.at(index, field, type), part: { type, content } });
    };
    text("reasoning_content", "reasoning", delta.reasoning_content);
    if (delta.reasoning !== delta.reasoning_content) text("reasoning", "reasoning", delta.reasoning);
    text("content", "text", delta.content);
    text("refusal", "text", delta.refusal);
    const before = deltas.length;
    this.#calls.read(index, delta, deltas);
    for (const piece of deltas.slice(before)) if ("at" in piece) this.places.open(index, piece.at);
    say(deltas, `${form.name}/${index}`, beside(delta, known));
    say(deltas, `${form.name}/${index}/choice`, beside(choice, ofChoice));
    return deltas;
  }

  protected fresh(delta: Delta): void {
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

  protected last(): void {
    for (const call of this.#calls.withoutArguments()) this.#send(0, call);
  }

  protected override pass(event: ServerEvent, choices: readonly Json[]): void {
    for (const choice of choices) if (jsonOf(choice.delta).role) this.#spoken.add(numberOf(choice.index));
    super.pass(event, choices);
  }

  #send(index: number, said: Json): void {
    if (Object.keys(said).length === 0) return;
    const delta = this.#spoken.has(index) ? said : { role: "assistant", ...said };
    this.#spoken.add(index);
    this.out.push(eventOf({ ...this.#head, choices: [{ index, delta, logprobs: null, finish_reason: null }] }));
  }
}

const choiceOf = (at: string): number => (/^\d+\//.test(at) ? Number.parseInt(at, 10) : 0);

/** Details of reasoning, as OpenRouter tells them, repeat its text piece by piece: of a changed one they say nothing. */
function withoutDetails(extra: Json): Json {
  const { reasoning_details: details, ...rest } = extra;
  if (!Array.isArray(details)) return extra;
  const silent = objectsOf(details).map(({ text, summary, ...detail }) => detail);
  return { ...rest, reasoning_details: silent };
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
