import type { Delta } from "@suite/core";
import type { FinishDelta, PartDelta, ReasoningPart, TextPart, ToolCallPart } from "@suite/core/messages";
import type { FinishPart, StreamPart } from "../framework.js";
import { contentOf, jsonOf, parsed } from "../messages/content.js";
import { finishOf } from "../messages/finish.js";
import { remainingMetadata, withoutEchoes } from "../messages/metadata.js";
import { signatureOf } from "../messages/signature.js";
import type { StreamReader, TextChunk } from "./read-stream.js";

interface OpenText {
  readonly kind: "text" | "reasoning";
  readonly id: string;
  /** True if the layers passed a signature. Otherwise chunks with a signature are not sent. */
  signed: boolean;
  /** The text that the layers passed. */
  text: string;
  /** The last chunk of the source that was sent. */
  last?: StreamPart | undefined;
}

interface OpenCall {
  readonly part: ToolCallPart;
  json: string;
  /** True if the input is complete. */
  ended: boolean;
}

/**
 * Converts the deltas that the layers passed to chunks of the framework. An original delta becomes its original chunks.
 * For other deltas it creates new chunks with the same ids.
 */
export class StreamWriter {
  readonly #texts = new Map<string, OpenText>();
  readonly #calls = new Map<string, OpenCall>();
  #finish: FinishDelta | undefined;
  #untouched = 0;
  #changed = false;

  /** @param reading the reader of the latest attempt, or `undefined` if no model was called */
  constructor(readonly reading: StreamReader | undefined) {}

  /** Returns the chunks for a delta that left the layers. */
  accept(delta: Delta): readonly StreamPart[] {
    if (this.reading === undefined) return this.#write(delta);
    const pieces = this.reading.boundaries.left(delta);
    const [only] = pieces;
    return pieces.length === 1 && only !== undefined ? this.#write(only) : this.#writeAll(pieces);
  }

  /** Returns the chunks for text that waits for the rest of its piece. */
  rest(): readonly StreamPart[] {
    return this.#writeAll(this.reading?.boundaries.end() ?? []);
  }

  #writeAll(deltas: readonly Delta[]): readonly StreamPart[] {
    return deltas.flatMap((delta) => this.#write(delta));
  }

  #write(delta: Delta): readonly StreamPart[] {
    const chunks = this.reading?.chunksOf(delta);
    if (chunks === undefined) this.#changed = true;
    else this.#untouched++;
    switch (delta.type) {
      case "part":
        return this.#part(delta, chunks);
      case "arguments":
        return this.#arguments(delta.at, delta.json, chunks);
      case "part_end":
        return this.#end(delta.at);
      case "finish":
        this.#finish = delta;
        return [];
      case "event":
        return chunks ?? [];
    }
  }

  /** Returns the chunks for a chunk that skipped the layers. */
  beside(chunk: StreamPart): readonly StreamPart[] {
    if (chunk.type !== "tool-call") return [chunk];
    const at = `tool:${chunk.toolCallId}`;
    return this.#calls.get(at)?.ended === true ? this.#writeCall(at) : [];
  }

  /** Returns the last chunks: the ends of parts that layers opened or whose end they held back. */
  end(): readonly StreamPart[] {
    const out: StreamPart[] = [...this.rest()];
    const unended = (at: string): boolean => this.reading?.texts.has(at) === true && !this.reading.ends.has(at);
    for (const at of [...this.#texts.keys()]) if (!unended(at)) out.push(...this.#endText(at));
    for (const [at, { ended }] of [...this.#calls])
      out.push(...(ended ? this.#writeCall(at) : this.#endInput(at, true)));
    const finish = this.#finishPart();
    if (finish !== undefined) out.push(finish);
    return out;
  }

  #part({ at, part }: PartDelta, chunks: readonly StreamPart[] | undefined): readonly StreamPart[] {
    if (part.type === "text" || part.type === "reasoning") return this.#text(at, part, chunks);
    const { reading } = this;
    if (part.type === "tool_call" && (reading === undefined || reading.calls.has(at.slice("tool:".length)))) {
      this.#calls.set(at, { part, json: "", ended: false });
      return chunks ?? [{ type: "tool-input-start", id: part.id, toolName: part.name }];
    }
    if (chunks !== undefined) return chunks;
    const content = contentOf(part, reading?.completeParts.get(at), reading?.redactor);
    return content === undefined ? [] : [content as StreamPart];
  }

  #text(at: string, part: TextPart | ReasoningPart, chunks: readonly StreamPart[] | undefined): readonly StreamPart[] {
    const signature = "signature" in part && part.signature !== undefined;
    const start = this.reading?.starts.get(at);
    const unbegun = this.reading?.unbegun.get(at);
    let open = this.#texts.get(at);
    const out: StreamPart[] = [];
    if (open === undefined) {
      const id = start !== undefined && "id" in start && start.id !== undefined ? start.id : (unbegun ?? at);
      open = { kind: part.type, id, signed: false, text: "" };
      this.#texts.set(at, open);
      // Sends the original start, unless it is one of the chunks. A signature on it would sign text that was not
      // passed.
      const reusable = start !== undefined && (signature || !isSigned(start)) ? start : undefined;
      if (unbegun === undefined && (chunks === undefined || !chunks.includes(start as StreamPart)))
        out.push(reusable ?? { type: `${part.type}-start`, id });
    }
    open.signed ||= signature;
    open.text += part.content;
    open.last = chunks?.at(-1) ?? open.last;
    if (chunks !== undefined) return out.length === 0 ? chunks : [...out, ...chunks];
    const signed = signature ? this.reading?.signed.get(at) : undefined;
    if (signed?.type === "reasoning-delta") out.push({ ...signed, delta: part.content });
    else if (part.content !== "") out.push({ type: `${open.kind}-delta`, id: open.id, delta: part.content });
    return out;
  }

  /** Returns the end of a part. The end of text without a start and without content is sent unchanged. */
  #end(at: string): readonly StreamPart[] {
    if (this.#texts.has(at)) return this.#endText(at);
    const end = this.reading?.ends.get(at);
    if (end === undefined) return this.#endInput(at);
    if (this.reading?.texts.has(at) !== true) return [end];
    const mark = this.#withheld(at);
    if (mark === undefined) return [];
    return [
      { type: "reasoning-start", id: end.id },
      { type: "reasoning-end", id: end.id, providerMetadata: mark },
    ];
  }

  /** Returns the metadata that replaces signed reasoning whose signature the layers removed. */
  #withheld(at: string) {
    const signed = this.reading?.signatures.get(at);
    if (signed === undefined) return undefined;
    return this.reading?.withheld?.keep(
      this.reading.texts.get(at) ?? "",
      signed.providerMetadata,
      this.reading.redactor,
    );
  }

  #endText(at: string): readonly StreamPart[] {
    const open = this.#texts.get(at) as OpenText;
    this.#texts.delete(at);
    const originalEnd = this.reading?.ends.get(at);
    const reusable = originalEnd !== undefined && (open.signed || !isSigned(originalEnd)) ? originalEnd : undefined;
    const mark = open.signed ? undefined : this.#withheld(at);
    const providerMetadata = mark ?? reusable?.providerMetadata ?? this.#untold(at, open);
    if (reusable !== undefined && reusable.providerMetadata === providerMetadata) return [reusable];
    return [{ type: `${open.kind}-end`, id: open.id, ...(providerMetadata !== undefined && { providerMetadata }) }];
  }

  /** Returns the metadata of text that the layers split differently but did not change. It is sent with the end. */
  #untold(at: string, { text, last, signed }: OpenText): TextChunk["providerMetadata"] {
    const annotated = this.reading?.annotated.get(at);
    if (annotated === undefined || annotated === last || text !== this.reading?.texts.get(at)) return undefined;
    return signed || !isSigned(annotated) ? annotated.providerMetadata : undefined;
  }

  #arguments(at: string, json: string, chunks: readonly StreamPart[] | undefined): readonly StreamPart[] {
    const call = this.#calls.get(at);
    if (call === undefined) return [];
    call.json += json;
    return chunks ?? [{ type: "tool-input-delta", id: call.part.id, delta: json }];
  }

  /**
   * Returns the end of a call's input, followed by the call if it has arrived. Returns neither for a call that the
   * source cut off.
   */
  #endInput(at: string, last = false): readonly StreamPart[] {
    const call = this.#calls.get(at);
    if (call === undefined || call.ended) return [];
    // A layer that ignores ends may hold the rest back until the last one. A tool must not run with part of its input.
    if (!last && !this.#isUnchanged(call) && !isComplete(call.json)) return [];
    const { part } = call;
    const source = this.reading?.calls.get(part.id);
    if (source !== undefined && source.inputEnd === undefined && source.call === undefined) return [];
    call.ended = true;
    const isCalled = source === undefined || source.call !== undefined;
    const inputEnd: StreamPart = { type: "tool-input-end", id: part.id };
    const end = this.#isUnchanged(call) ? source?.inputEnd : inputEnd;
    return [...(end === undefined ? [] : [end]), ...(isCalled ? this.#writeCall(at) : [])];
  }

  #writeCall(at: string): readonly StreamPart[] {
    const call = this.#calls.get(at) as OpenCall;
    const { part, json } = call;
    const source = this.reading?.calls.get(part.id);
    if (source !== undefined && source.call === undefined) return [];
    this.#calls.delete(at);
    if (source?.call !== undefined && this.#isUnchanged(call)) return [source.call];
    const input = json === "" ? jsonOf(part.arguments) : json;
    const dynamic = source?.start.dynamic === undefined ? {} : { dynamic: source.start.dynamic };
    const metadata = remainingMetadata(source?.call ?? {}, this.reading?.redactor);
    return [{ type: "tool-call", toolCallId: part.id, toolName: part.name, input, ...dynamic, ...metadata }];
  }

  /** Returns true if the layers did not change a call. */
  #isUnchanged({ part, json }: OpenCall): boolean {
    const source = this.reading?.calls.get(part.id);
    return source?.json === json && source.start.toolName === part.name;
  }

  /** Returns the finish chunk. If the model's stream ended without one, none is created. */
  #finishPart(): FinishPart | undefined {
    const { reading } = this;
    const delta = this.#finish;
    if (delta === undefined && reading?.finished === false) return undefined;
    const source = delta === undefined ? undefined : reading?.chunksOf(delta)?.[0];
    if (source?.type !== "finish") return { type: "finish", ...finishOf(delta ?? {}) };
    if (!this.#changed && this.#untouched === reading?.deltaCount) return source;
    const metadata = withoutEchoes(source.providerMetadata);
    const { providerMetadata: _, ...rest } = source;
    return { ...rest, ...(metadata !== undefined && { providerMetadata: metadata }) };
  }
}

/** Returns true if a call's input is a complete JSON object. Only all of an object is valid JSON. */
const isComplete = (json: string): boolean => json !== "" && typeof parsed(json) !== "string";

const isSigned = (chunk: StreamPart): boolean =>
  chunk.type.startsWith("reasoning") &&
  "providerMetadata" in chunk &&
  signatureOf(chunk.providerMetadata) !== undefined;
