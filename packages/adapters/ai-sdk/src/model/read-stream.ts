import type { Delta, Redactor } from "@suite/core";
import { PieceBoundaries } from "@suite/core/framework";
import type { Content, FinishPart, StreamPart } from "../framework.js";
import { partOf } from "../messages/content.js";
import { finishReasonOf, usageOf } from "../messages/finish.js";
import { redactedMetadata, redactedWarnings } from "../messages/metadata.js";
import { signatureOf } from "../messages/signature.js";
import type { WithheldReasoning } from "../messages/withheld.js";

/** The received pieces of a tool call that streams. */
interface StreamedCall {
  readonly start: Extract<StreamPart, { type: "tool-input-start" }>;
  json: string;
  inputEnd?: StreamPart;
  /** The complete call, which follows its input. */
  call?: StreamPart;
}

/** Reads a model's streamed answer into deltas and remembers the chunks of each delta. */
export class StreamReader {
  readonly starts = new Map<string, StreamPart>();
  readonly ends = new Map<string, TextChunk>();
  /** Ids of text without a start chunk, which is an error in the framework, by place. */
  readonly unbegun = new Map<string, string>();
  /** The received text of each part, by place. */
  readonly texts = new Map<string, string>();
  /** The latest text chunk with metadata, by place. */
  readonly annotated = new Map<string, TextChunk>();
  readonly signed = new Map<string, StreamPart>();
  /** The latest chunk with a signature, by place. */
  readonly signatures = new Map<string, TextChunk>();
  /** Tool calls that stream, by id. */
  readonly calls = new Map<string, StreamedCall>();
  /** Parts that arrived in one chunk, by place. A changed part is based on the original. */
  readonly completeParts = new Map<string, Content>();
  /** The number of created deltas. */
  deltaCount = 0;
  /** The second delta of the last chunk. */
  more: Delta | undefined;
  /** The model's first error chunk. */
  failed: Extract<StreamPart, { type: "error" }> | undefined;
  /** The finish chunk of a failed answer. It creates no delta, because a failed answer has no finish for the layers. */
  failedFinish: StreamPart | undefined;
  /** True if the finish chunk has arrived. */
  finished = false;
  /** The chunk boundaries of text that the layers passed unchanged. */
  readonly boundaries = new PieceBoundaries();
  readonly #chunks = new WeakMap<Delta, readonly StreamPart[]>();
  readonly #response: { id?: string; model?: string } = {};
  /** Input chunks of provider tools. The layers see the complete call. */
  readonly #provided = new Map<string, StreamPart[]>();
  #otherChunks: StreamPart[] = [];
  #sink: ((chunk: StreamPart) => void) | undefined;
  #count = 0;

  /**
   * @param guarded true if a layer may change the answer. Chunks that no layer can see, such as raw provider chunks,
   * are then dropped, because a value may span two of them.
   * @param redactor redacts the metadata of chunks, which the layers do not see
   * @param withheld stores signed reasoning that a plugin changed
   */
  constructor(
    readonly guarded: boolean,
    readonly redactor?: Redactor,
    readonly withheld?: WithheldReasoning,
  ) {}

  /** Returns the chunks of a delta. Returns `undefined` for a delta that a layer created. */
  chunksOf(delta: Delta): readonly StreamPart[] | undefined {
    return this.#chunks.get(delta);
  }

  /** Sets the sink for chunks that skip the layers. They are written at once, between the deltas. */
  otherChunksTo(sink: (chunk: StreamPart) => void): void {
    for (const chunk of this.#otherChunks.splice(0)) sink(chunk);
    this.#sink = sink;
  }

  /** Returns the first delta of a chunk, if it has one. A second one is in `more`. */
  read(chunk: StreamPart): Delta | undefined {
    return this.#read(redactedMetadata(chunk, this.redactor));
  }

  #read(chunk: StreamPart): Delta | undefined {
    switch (chunk.type) {
      case "text-start":
      case "reasoning-start":
        this.starts.set(atOf(chunk), chunk);
        return this.#text(chunk, "");
      case "text-delta":
      case "reasoning-delta":
        return this.#text(chunk, chunk.delta);
      case "text-end":
      case "reasoning-end":
        return this.#end(chunk);
      case "tool-input-start":
        return this.#begin(chunk);
      case "tool-input-delta":
        return this.#input(chunk);
      case "tool-input-end":
        return this.#endInput(chunk);
      case "tool-call":
        return this.#call(chunk);
      case "finish":
        return this.#finish(chunk);
      case "error":
        this.failed ??= chunk;
        return this.#aside(chunk);
      case "response-metadata":
        if (chunk.id !== undefined) this.#response.id = chunk.id;
        if (chunk.modelId !== undefined) this.#response.model = chunk.modelId;
        return this.#aside(chunk);
      case "stream-start":
        return this.#aside(redactedWarnings(chunk, this.redactor));
      case "raw":
        return this.guarded ? undefined : this.#aside(chunk);
      default: {
        const at = `part:${this.#count++}`;
        this.completeParts.set(at, chunk);
        return this.#record({ type: "part", at, part: partOf(chunk) }, [chunk]);
      }
    }
  }

  #record(delta: Delta, chunks: readonly StreamPart[]): Delta {
    this.deltaCount++;
    this.#chunks.set(delta, chunks);
    this.boundaries.came(delta);
    return delta;
  }

  #aside(chunk: StreamPart): undefined {
    if (this.#sink === undefined) this.#otherChunks.push(chunk);
    else this.#sink(chunk);
  }

  /** Returns the delta for a piece of text or for its start, so that an empty part is a part, too. */
  #text(chunk: TextChunk, content: string): Delta {
    const at = atOf(chunk);
    if (!this.starts.has(at)) this.unbegun.set(at, chunk.id);
    this.texts.set(at, (this.texts.get(at) ?? "") + content);
    if (content !== "" && metadataOf(chunk) !== undefined) this.annotated.set(at, chunk);
    if (!isReasoning(chunk)) return this.#record({ type: "part", at, part: { type: "text", content } }, [chunk]);
    const signature = signatureOf(metadataOf(chunk));
    if (signature !== undefined) this.signatures.set(at, chunk);
    if (signature !== undefined && chunk.type === "reasoning-delta") this.signed.set(at, chunk);
    return this.#record(thought(at, content, signature), [chunk]);
  }

  /**
   * Returns the delta for a chunk that ends text or reasoning. A signature in the chunk becomes a separate delta before
   * the end. The original chunk is emitted only if the layers pass that delta on.
   */
  #end(chunk: TextChunk): Delta {
    const at = atOf(chunk);
    this.ends.set(at, chunk);
    const end = this.#record({ type: "part_end", at }, [chunk]);
    const signature = isReasoning(chunk) ? signatureOf(metadataOf(chunk)) : undefined;
    if (signature === undefined) return end;
    this.signatures.set(at, chunk);
    this.more = end;
    return this.#record(thought(at, "", signature), []);
  }

  #begin(start: Extract<StreamPart, { type: "tool-input-start" }>): Delta | undefined {
    const { id, toolName: name } = start;
    if (start.providerExecuted === true) {
      this.#provided.set(id, []);
      return this.#provide(id, start);
    }
    this.calls.set(id, { start, json: "" });
    return this.#record({ type: "part", at: atOf(start), part: { type: "tool_call", id, name, arguments: {} } }, [
      start,
    ]);
  }

  #input(chunk: Extract<StreamPart, { type: "tool-input-delta" }>): Delta | undefined {
    const call = this.calls.get(chunk.id);
    if (call === undefined) return this.#provide(chunk.id, chunk);
    call.json += chunk.delta;
    return this.#record({ type: "arguments", at: atOf(chunk), json: chunk.delta }, [chunk]);
  }

  #endInput(chunk: Extract<StreamPart, { type: "tool-input-end" }>): Delta | undefined {
    const call = this.calls.get(chunk.id);
    if (call === undefined) return this.#provide(chunk.id, chunk);
    call.inputEnd = chunk;
    // Some providers send the input only with the call.
    return call.json === "" ? undefined : this.#record({ type: "part_end", at: atOf(chunk) }, [chunk]);
  }

  #call(chunk: Extract<StreamPart, { type: "tool-call" }>): Delta | undefined {
    const at = `tool:${chunk.toolCallId}`;
    const call = this.calls.get(chunk.toolCallId);
    if (call === undefined) {
      this.completeParts.set(at, chunk);
      const provided = this.#provided.get(chunk.toolCallId) ?? [];
      return this.#record({ type: "part", at, part: partOf(chunk) }, [...provided, chunk]);
    }
    call.call = chunk;
    if (call.json !== "")
      return call.inputEnd === undefined ? this.#record({ type: "part_end", at }, []) : this.#aside(chunk);
    const end = this.#record({ type: "part_end", at }, []);
    if (chunk.input.trim() === "" || chunk.input.trim() === "{}") return end;
    call.json = chunk.input;
    this.more = end;
    return this.#record({ type: "arguments", at, json: chunk.input }, []);
  }

  /** Holds an input chunk of a provider tool back until its call, if a layer may change the call. */
  #provide(id: string, chunk: StreamPart): undefined {
    if (this.guarded) this.#provided.get(id)?.push(chunk);
    else this.#aside(chunk);
  }

  #finish(chunk: FinishPart): Delta | undefined {
    this.finished = true;
    if (this.failed !== undefined) {
      this.failedFinish = chunk;
      return undefined;
    }
    const { usage, finishReason } = chunk;
    const response = this.#response;
    return this.#record({ type: "finish", ...usageOf(usage), finishReason: finishReasonOf(finishReason), response }, [
      chunk,
    ]);
  }
}

/** A chunk of text or reasoning: its start, a piece or its end. */
export type TextChunk = Extract<StreamPart, { id: string; type: `${"text" | "reasoning"}-${string}` }>;

/** Returns the place of a chunk's part. Ids are unique among chunks of one kind. */
function atOf({ type, id }: Extract<StreamPart, { id: string }>): string {
  const [kind] = type.split("-", 1);
  return `${kind}:${id}`;
}

const metadataOf = (chunk: StreamPart): unknown => ("providerMetadata" in chunk ? chunk.providerMetadata : undefined);

const isReasoning = ({ type }: TextChunk): boolean => type.startsWith("reasoning");

const thought = (at: string, content: string, signature?: string): Delta => ({
  type: "part",
  at,
  part: { type: "reasoning", content, ...(signature !== undefined && { signature }) },
});
