import { type AIMessageChunk, type BaseMessage, isAIMessageChunk, isBaseMessage } from "@langchain/core/messages";
import { isRecord } from "@suite/kit";
import type { AgentConfig } from "./target.js";

/** The step of a graph that emitted a message, or a piece of one. */
export interface GraphStep {
  readonly graph: string;
  readonly step: number | undefined;
}

/** A piece of a model's message and its chunk. A class, because one is created for each chunk. */
export class Piece implements GraphStep {
  readonly graph: string;
  readonly step: number | undefined;
  /** A key that identifies the message, even if the provider repeats ids. */
  readonly key: string;
  readonly message: AIMessageChunk;
  readonly #path: readonly unknown[];
  readonly #metadata: unknown;

  /** @param path the values before the message in its chunk. */
  constructor(
    message: AIMessageChunk,
    metadata: unknown,
    { checkpoint, graph, step }: GraphCheckpoint,
    path: readonly unknown[],
  ) {
    this.message = message;
    this.graph = graph;
    this.step = step;
    this.key = `${checkpoint}/${message.id ?? ""}`;
    this.#path = path;
    this.#metadata = metadata;
  }

  /** Returns the chunk with another message. */
  replaced(by: BaseMessage): unknown {
    const entry = [by, this.#metadata];
    return this.#path.length === 0 ? entry : [...this.#path, entry];
  }
}

/** A chunk that contains complete messages. */
export interface CompleteMessages {
  readonly complete: ReadonlySet<string>;
}

/** The message data of one chunk of the graph. */
export type Found = Piece | GraphStep | CompleteMessages;

/** True if the message of this piece is complete. The steps of a graph are over when a later step emits something. */
export function isOver({ message, graph, step }: Piece, found: Found): boolean {
  if ("complete" in found) return message.id !== undefined && found.complete.has(message.id);
  return graph === found.graph && step !== undefined && found.step !== undefined && step < found.step;
}

/**
 * Returns a function that finds messages in chunks of the graph: `[namespace?, mode?, value]`, depending on the
 * configuration. It returns `undefined` for chunks without messages, or if messages are not streamed.
 */
export function pieceFinder({
  streamMode,
  subgraphs,
  encoding,
}: AgentConfig = {}): (chunk: unknown) => Piece | GraphStep | CompleteMessages | undefined {
  const modes = Array.isArray(streamMode) ? streamMode : undefined;
  if (encoding !== undefined || !(modes ?? [streamMode]).includes("messages")) return () => undefined;
  const depth = (subgraphs === true ? 1 : 0) + (modes === undefined ? 0 : 1);
  return (chunk) => {
    const path: readonly unknown[] = depth === 0 ? [chunk] : Array.isArray(chunk) ? chunk : [];
    const mode = modes === undefined ? "messages" : path[depth - 1];
    const value = path[depth];
    if (mode === "updates") return { complete: new Set(Object.values(isRecord(value) ? value : {}).flatMap(idsIn)) };
    if (mode === "values") return { complete: new Set(idsIn(value)) };
    if (mode !== "messages" || !Array.isArray(value)) return undefined;
    const [message, metadata] = value as readonly unknown[];
    const source = graphStepIn(metadata);
    if (!isBaseMessage(message) || !isAIMessageChunk(message as AIMessageChunk)) return source;
    return new Piece(message as AIMessageChunk, metadata, source, depth === 0 ? none : path.slice(0, depth));
  };
}

/** Returns the graph of a checkpoint namespace: its path without the last segment, which is the task. */
const graphOf = (checkpoint: string): string => checkpoint.slice(0, Math.max(0, checkpoint.lastIndexOf("|")));

/** The step with its checkpoint namespace. */
interface GraphCheckpoint extends GraphStep {
  readonly checkpoint: string;
}

const none: readonly never[] = [];

function graphStepIn(metadata: unknown): GraphCheckpoint {
  const { langgraph_checkpoint_ns: namespace = "", langgraph_step: step } = isRecord(metadata) ? metadata : {};
  const checkpoint = String(namespace);
  return { checkpoint, graph: graphOf(checkpoint), step: typeof step === "number" ? step : undefined };
}

const idsIn = (state: unknown): readonly string[] =>
  isRecord(state) && Array.isArray(state.messages)
    ? state.messages.filter(isBaseMessage).flatMap(({ id }) => id ?? [])
    : [];
