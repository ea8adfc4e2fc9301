import type { Delta, FinishDelta, PartDelta, ReasoningPart, TextPart, ToolCallPart } from "@suite/core";
import { contentOf, jsonOf } from "../messages/content.js";
import { finishOf } from "../messages/finish.js";
import { withoutEchoes } from "../messages/metadata.js";
import type { FinishPart, StreamPart } from "../types.js";
import type { StreamReading } from "./reading.js";

interface OpenText {
  readonly kind: "text" | "reasoning";
  readonly id: string;
}

interface OpenCall {
  readonly part: ToolCallPart;
  json: string;
  pieces: number;
}

/**
 * The framework's chunks of the deltas that the layers let through. A delta that is the source's own goes out as the chunk
 * that it was made of; the rest is made anew, under the same ids.
 */
export class StreamWriting {
  readonly #texts = new Map<string, OpenText>();
  readonly #calls = new Map<string, OpenCall>();
  #last: string | undefined;
  #finish: FinishDelta | undefined;
  #untouched = 0;
  #made = 0;

  /** @param reading the latest: a layer may have asked again. Undefined where no model was asked. */
  constructor(readonly reading: () => StreamReading | undefined) {}

  accept(delta: Delta): readonly StreamPart[] {
    const chunks = this.reading()?.chunksOf(delta);
    if (chunks === undefined) this.#made++;
    else this.#untouched++;
    const out = this.#beside();
    if (delta.type === "finish") {
      this.#finish = delta;
      return out;
    }
    if (delta.type === "part_end") return out;
    if (delta.type === "event") return chunks === undefined ? out : [...out, ...chunks];
    if (delta.at !== this.#last) out.push(...this.#closeTexts());
    this.#last = delta.at;
    if (delta.type === "arguments") out.push(...this.#arguments(delta.at, delta.json, chunks));
    else out.push(...this.#part(delta, chunks));
    return out;
  }

  /** Nothing more comes: closes what is open. */
  end(): readonly StreamPart[] {
    const out = [...this.#beside(), ...this.#closeTexts(true)];
    for (const at of [...this.#calls.keys()]) out.push(...this.#closeCall(at));
    out.push(this.#finishPart());
    return out;
  }

  #beside(): StreamPart[] {
    const reading = this.reading();
    if (reading === undefined) return [];
    const { beside } = reading;
    if (beside.length > 0) reading.beside = [];
    return beside.length > 0 ? beside : [];
  }

  #part({ at, part }: PartDelta, chunks: readonly StreamPart[] | undefined): readonly StreamPart[] {
    if (part.type === "text" || part.type === "reasoning") return this.#text(at, part, chunks);
    const streamed = this.reading()?.calls.has(at.slice("tool:".length)) === true;
    if (part.type === "tool_call" && (streamed || this.reading() === undefined)) {
      this.#calls.set(at, { part, json: "", pieces: 0 });
      return chunks ?? [{ type: "tool-input-start", id: part.id, toolName: part.name }];
    }
    if (chunks !== undefined) return chunks;
    const content = contentOf(part, this.reading()?.whole.get(at));
    return content === undefined ? [] : [content as StreamPart];
  }

  #text(at: string, part: TextPart | ReasoningPart, chunks: readonly StreamPart[] | undefined): readonly StreamPart[] {
    const out: StreamPart[] = [];
    let open = this.#texts.get(at);
    if (open === undefined) {
      const start = this.reading()?.starts.get(at);
      const id = start !== undefined && "id" in start && start.id !== undefined ? start.id : at;
      open = { kind: part.type, id };
      this.#texts.set(at, open);
      out.push(start ?? { type: `${part.type}-start`, id });
    }
    if (chunks !== undefined) return [...out, ...chunks];
    const signed = "signature" in part && part.signature !== undefined ? this.reading()?.signed.get(at) : undefined;
    if (signed?.type === "reasoning-delta") out.push({ ...signed, delta: part.content });
    else if (part.content !== "") out.push({ type: `${open.kind}-delta`, id: open.id, delta: part.content });
    return out;
  }

  #arguments(at: string, json: string, chunks: readonly StreamPart[] | undefined): readonly StreamPart[] {
    const call = this.#calls.get(at);
    if (call === undefined) return [];
    call.json += json;
    call.pieces++;
    return chunks ?? [{ type: "tool-input-delta", id: call.part.id, delta: json }];
  }

  /** Ends texts that the source has ended; all of them at the end. */
  #closeTexts(all = false): readonly StreamPart[] {
    const out: StreamPart[] = [];
    for (const [at, { kind, id }] of this.#texts) {
      const end = this.reading()?.ends.get(at);
      if (end === undefined && !all) continue;
      this.#texts.delete(at);
      out.push(end ?? { type: `${kind}-end`, id });
    }
    return out;
  }

  #closeCall(at: string): readonly StreamPart[] {
    const call = this.#calls.get(at);
    this.#calls.delete(at);
    if (call === undefined) return [];
    const { part, json } = call;
    const source = this.reading()?.calls.get(part.id);
    if (source?.whole === true && source.json === json && source.start.toolName === part.name) return source.closing;
    const input = json === "" ? jsonOf(part.arguments) : json;
    const dynamic = source?.start.dynamic === undefined ? {} : { dynamic: source.start.dynamic };
    return [
      { type: "tool-input-end", id: part.id },
      { type: "tool-call", toolCallId: part.id, toolName: part.name, input, ...dynamic },
    ];
  }

  #finishPart(): FinishPart {
    const delta = this.#finish;
    const reading = this.reading();
    const source = delta === undefined ? undefined : reading?.chunksOf(delta)?.[0];
    if (source?.type !== "finish") return { type: "finish", ...finishOf(delta ?? {}) };
    if (this.#made === 0 && this.#untouched === reading?.made) return source;
    const metadata = withoutEchoes(source.providerMetadata);
    const { providerMetadata: _, ...rest } = source;
    return { ...rest, ...(metadata !== undefined && { providerMetadata: metadata }) };
  }
}
