import type { Delta, Part, Redactor } from "@suite/core";
import { partOf } from "../messages/content.js";
import { finishReasonOf, usageOf } from "../messages/finish.js";
import { redactedMetadata } from "../messages/metadata.js";
import { signatureOf } from "../messages/signature.js";
import type { Content, StreamPart } from "../types.js";

/** What is known of a tool call that streams. */
interface StreamedCall {
  readonly start: Extract<StreamPart, { type: "tool-input-start" }>;
  json: string;
  /** What closes it: the end of its input, and the call itself. */
  readonly closing: StreamPart[];
  whole: boolean;
}

/** One answer of a model as it comes, read into deltas; it knows which chunk each delta was made of. */
export class StreamReading {
  /** What no layer has to see, such as where a text begins: it goes out, in order, with what comes next. */
  beside: StreamPart[] = [];
  readonly starts = new Map<string, StreamPart>();
  readonly ends = new Map<string, StreamPart>();
  readonly signed = new Map<string, StreamPart>();
  readonly calls = new Map<string, StreamedCall>();
  /** Parts that came whole, by place: a changed one is built on what it was. */
  readonly whole = new Map<string, Content>();
  /** How many deltas were made. */
  made = 0;
  readonly #chunks = new WeakMap<Delta, readonly StreamPart[]>();
  readonly #response: { id?: string; model?: string } = {};
  /** Input of tools of the provider, which is told whole. */
  readonly #provided = new Map<string, StreamPart[]>();
  #count = 0;

  /**
   * @param raw whether the provider's own chunks may pass. Nobody could guard them: a value may lie across two.
   * @param redactor for the metadata of chunks, which the layers do not see.
   */
  constructor(
    readonly raw: boolean,
    readonly redactor?: Redactor,
  ) {}

  /** The chunks that a delta was made of; undefined for a delta that a layer made. */
  chunksOf(delta: Delta): readonly StreamPart[] | undefined {
    return this.#chunks.get(delta);
  }

  /** @throws the error of an error chunk, unchanged. */
  read(given: StreamPart): Delta | undefined {
    const chunk = redactedMetadata(given, this.redactor);
    const delta = this.#read(chunk);
    if (delta === undefined) return undefined;
    this.made++;
    if (!this.#chunks.has(delta)) this.#chunks.set(delta, [chunk]);
    return delta;
  }

  #read(chunk: StreamPart): Delta | undefined {
    switch (chunk.type) {
      case "text-start":
      case "reasoning-start":
        this.starts.set(atOf(chunk), chunk);
        return this.#signed(chunk);
      case "text-delta":
        return { type: "part", at: atOf(chunk), part: { type: "text", content: chunk.delta } };
      case "reasoning-delta":
        return this.#signed(chunk) ?? thought(chunk, chunk.delta);
      case "text-end":
      case "reasoning-end":
        this.ends.set(atOf(chunk), chunk);
        return this.#signed(chunk);
      case "tool-input-start":
        return this.#begin(chunk);
      case "tool-input-delta":
        return this.#input(chunk);
      case "tool-input-end":
        (this.calls.get(chunk.id)?.closing ?? this.#provided.get(chunk.id))?.push(chunk);
        return undefined;
      case "tool-call":
        return this.#call(chunk);
      case "finish": {
        const response = this.#response;
        return { type: "finish", ...usageOf(chunk.usage), finishReason: finishReasonOf(chunk.finishReason), response };
      }
      case "error":
        throw chunk.error;
      case "response-metadata":
        if (chunk.id !== undefined) this.#response.id = chunk.id;
        if (chunk.modelId !== undefined) this.#response.model = chunk.modelId;
        this.beside.push(chunk);
        return undefined;
      case "stream-start":
        this.beside.push(chunk);
        return undefined;
      case "raw":
        if (this.raw) this.beside.push(chunk);
        return undefined;
      default: {
        const at = `part:${this.#count++}`;
        this.whole.set(at, chunk);
        return { type: "part", at, part: partOf(chunk) };
      }
    }
  }

  /** Reasoning that is signed, or encrypted: it goes on verbatim, or not at all. */
  #signed(chunk: Extract<StreamPart, { id: string }>): Delta | undefined {
    const signature = chunk.type.startsWith("reasoning") ? signatureOf(metadataOf(chunk)) : undefined;
    if (signature === undefined) return undefined;
    const at = atOf(chunk);
    if (chunk.type === "reasoning-delta") this.signed.set(at, chunk);
    const delta = thought(chunk, chunk.type === "reasoning-delta" ? chunk.delta : "", signature);
    if (chunk.type !== "reasoning-delta") this.#chunks.set(delta, []);
    return delta;
  }

  #begin(start: Extract<StreamPart, { type: "tool-input-start" }>): Delta | undefined {
    const { id, toolName: name } = start;
    if (start.providerExecuted === true) {
      this.#provided.set(id, [start]);
      return undefined;
    }
    this.calls.set(id, { start, json: "", closing: [], whole: false });
    return { type: "part", at: atOf(start), part: { type: "tool_call", id, name, arguments: {} } };
  }

  #input(chunk: Extract<StreamPart, { type: "tool-input-delta" }>): Delta | undefined {
    const call = this.calls.get(chunk.id);
    if (call === undefined) {
      this.#provided.get(chunk.id)?.push(chunk);
      return undefined;
    }
    call.json += chunk.delta;
    return { type: "arguments", at: atOf(chunk), json: chunk.delta };
  }

  #call(chunk: Extract<StreamPart, { type: "tool-call" }>): Delta | undefined {
    const call = this.calls.get(chunk.toolCallId);
    if (call !== undefined) {
      call.closing.push(chunk);
      call.whole = true;
      // Some providers tell the input with the call alone.
      if (call.json === "" && chunk.input.trim() !== "" && chunk.input.trim() !== "{}") {
        call.json = chunk.input;
        const delta: Delta = { type: "arguments", at: `tool:${chunk.toolCallId}`, json: chunk.input };
        this.#chunks.set(delta, []);
        return delta;
      }
      return undefined;
    }
    const at = `tool:${chunk.toolCallId}`;
    this.whole.set(at, chunk);
    const delta: Delta = { type: "part", at, part: partOf(chunk) };
    this.#chunks.set(delta, [...(this.#provided.get(chunk.toolCallId) ?? []), chunk]);
    return delta;
  }
}

/** Ids are unique among chunks of one kind. */
function atOf({ type, id }: Extract<StreamPart, { id: string }>): string {
  const [kind] = type.split("-", 1);
  return `${kind}:${id}`;
}

const metadataOf = (chunk: StreamPart): unknown => ("providerMetadata" in chunk ? chunk.providerMetadata : undefined);

const thought = (chunk: Extract<StreamPart, { id: string }>, content: string, signature?: string): Delta => {
  const part: Part = { type: "reasoning", content, ...(signature !== undefined && { signature }) };
  return { type: "part", at: atOf(chunk), part };
};
