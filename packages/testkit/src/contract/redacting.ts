import type { CallNext, Delta, Emit, Invocation, Message, Part, Plugin, Reply, Stage } from "@suite/core";
import { type HeldText, PartOrder } from "@suite/core/parts";
import { Holdback } from "./holdback.js";
import { redactText, redactValue } from "./redact.js";

/**
 * A small guard written against the contract alone. A secret of `redact.ts` reaches neither the model nor the user nor
 * a tool, even if it is split across chunks. For tests, not for production.
 *
 * @param only one of its hooks, to see that this place alone is guarded.
 */
export function redacting(only?: "model" | "tool"): Plugin {
  return {
    name: "contract-redacting",
    redactor: { redact: redactText, value: redactValue },
    ...(only !== "tool" && { model: guardModel }),
    ...(only !== "model" && { tool: guardTool }),
    ...(only === undefined && { whereOffered: ["tool"] }),
  };
}

async function guardModel(invocation: Invocation<"model">, callNext: CallNext): Promise<void> {
  const { request } = invocation;
  invocation.request = { ...request, messages: request.messages.map(redactMessage) };
  await callNext();
  invocation.pipe(new RedactingStage());
}

async function guardTool(invocation: Invocation<"tool">, callNext: CallNext): Promise<void> {
  invocation.request = { ...invocation.request, input: redactValue(invocation.request.input) };
  await callNext();
  invocation.pipe({ chunk: (chunk, emit) => emit(redactValue(chunk)) });
}

const redactMessage = (message: Message): Message => {
  const { native: _, ...rest } = message;
  return { ...rest, parts: message.parts.flatMap(redactPart) };
};

/**
 * Reasoning may be signed, so it is removed as a whole. A part without its native copy cannot restore the removed text.
 */
function redactPart(part: Part): readonly Part[] {
  if (part.type === "reasoning") return [];
  if (part.type === "native") return [{ type: "native", value: redactValue(part.value) }];
  if (part.type === "text") return [{ type: "text", content: redactText(part.content) }];
  const { native: _, ...rest } = part;
  return [redactValue(rest) as Part];
}

/** Holds text back until no secret can begin in it, and arguments until they are complete. */
class RedactingStage implements Stage<Delta, Reply> {
  readonly #order = new PartOrder<HeldText & Pushed>((delta, slot, emit) => {
    if (delta.type === "event") emit({ ...delta, value: redactValue(delta.value) });
    else if (delta.type === "arguments")
      slot.text("arguments", () => new HeldArguments(delta.at)).push(delta.json, emit);
    else if (delta.type !== "part") emit(delta);
    else if (delta.part.type === "text") {
      slot.text("text", () => new RedactedText(delta.at)).push(delta.part.content, emit);
    } else for (const part of redactPart(delta.part)) emit({ ...delta, part });
  });

  chunk(delta: Delta, emit: Emit<Delta>): void {
    this.#order.accept(delta, emit);
  }

  flush(emit: Emit<Delta>): void {
    this.#order.end(emit);
  }
}

interface Pushed {
  push(piece: string, emit: Emit<Delta>): void;
}

class RedactedText implements HeldText {
  readonly #held = new Holdback();
  #began = false;

  constructor(readonly at: string) {}

  get undecided(): number {
    return this.#held.length;
  }

  /** The first piece is emitted even if it is empty: it marks the position of the part. */
  push(piece: string, emit: Emit<Delta>): void {
    this.#emit(this.#held.push(piece), emit);
  }

  end(emit: Emit<Delta>): void {
    this.#emit(this.#held.rest(), emit);
  }

  #emit(content: string, emit: Emit<Delta>): void {
    if (content === "" && this.#began) return;
    this.#began = true;
    emit({ type: "part", at: this.at, part: { type: "text", content } });
  }
}

class HeldArguments implements HeldText {
  #json = "";

  constructor(readonly at: string) {}

  get undecided(): number {
    return this.#json.length;
  }

  push(piece: string): void {
    this.#json += piece;
  }

  end(emit: Emit<Delta>): void {
    if (this.#json !== "") emit({ type: "arguments", at: this.at, json: redactJson(this.#json) });
    this.#json = "";
  }
}

function redactJson(json: string): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(json)));
  } catch {
    return redactText(json);
  }
}
