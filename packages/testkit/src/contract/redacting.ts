import type { CallNext, Delta, Emit, Invocation, Message, Part, Plugin, Reply, Stage } from "@suite/core";
import { Holdback } from "./holdback.js";
import { redactText, redactValue } from "./redact.js";

/**
 * A small guard written against the contract alone: what `redact.ts` calls a secret leaves neither for the model nor
 * for the user nor for a tool, also where it is split across chunks. For tests, not for use.
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

/** Reasoning may be signed, so it goes whole. A part without its native copy cannot bring back what was taken out. */
function redactPart(part: Part): readonly Part[] {
  if (part.type === "reasoning") return [];
  if (part.type === "native") return [{ type: "native", value: redactValue(part.value) }];
  if (part.type === "text") return [{ type: "text", content: redactText(part.content) }];
  const { native: _, ...rest } = part;
  return [redactValue(rest) as Part];
}

/** Holds text back until no secret can begin in it, and arguments until they are whole. */
class RedactingStage implements Stage<Delta, Reply> {
  readonly #texts = new Map<string, Holdback>();
  readonly #json = new Map<string, string>();

  chunk(delta: Delta, emit: Emit<Delta>): void {
    if (delta.type === "part" && delta.part.type === "text") this.#text(delta.at, delta.part.content, emit);
    else if (delta.type === "part") for (const part of redactPart(delta.part)) emit({ ...delta, part });
    else if (delta.type === "arguments") this.#json.set(delta.at, (this.#json.get(delta.at) ?? "") + delta.json);
    else if (delta.type === "event") emit({ ...delta, value: redactValue(delta.value) });
    else {
      if (delta.type === "part_end") this.#release(delta.at, emit);
      else this.flush(emit);
      emit(delta);
    }
  }

  #release(at: string, emit: Emit<Delta>): void {
    emitText(at, this.#texts.get(at)?.rest() ?? "", emit);
  }

  flush(emit: Emit<Delta>): void {
    for (const [at, held] of this.#texts) emitText(at, held.rest(), emit);
    for (const [at, json] of this.#json) emit({ type: "arguments", at, json: redactJson(json) });
    this.#texts.clear();
    this.#json.clear();
  }

  /** The first piece goes out even if it is empty: it says where the part stands. */
  #text(at: string, content: string, emit: Emit<Delta>): void {
    const held = this.#texts.get(at);
    if (held !== undefined) {
      emitText(at, held.push(content), emit);
      return;
    }
    const first = new Holdback();
    this.#texts.set(at, first);
    emit({ type: "part", at, part: { type: "text", content: first.push(content) } });
  }
}

function emitText(at: string, content: string, emit: Emit<Delta>): void {
  if (content !== "") emit({ type: "part", at, part: { type: "text", content } });
}

function redactJson(json: string): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(json)));
  } catch {
    return redactText(json);
  }
}
