import { type AIMessageChunk, type BaseMessage, isAIMessageChunk, isBaseMessage } from "@langchain/core/messages";
import { isRecord } from "../messages/metadata.js";
import type { AgentConfig } from "./target.js";

/** The step of a graph in which a message, or a piece of one, was said. */
export interface Said {
  readonly graph: string;
  readonly step: number | undefined;
}

/** A piece of a model's message, and how to put another in its place. A class, since one is made of each chunk. */
export class Piece implements Said {
  readonly graph: string;
  readonly step: number | undefined;
  /** A key that tells messages apart, also those for which a provider has the same id. */
  readonly key: string;
  readonly message: AIMessageChunk;
  readonly #path: readonly unknown[];
  readonly #metadata: unknown;

  /** @param path what stands in front of the message's place in its chunk. */
  constructor(message: AIMessageChunk, metadata: unknown, { place, graph, step }: SaidAt, path: readonly unknown[]) {
    this.message = message;
    this.graph = graph;
    this.step = step;
    this.key = `${place}/${message.id ?? ""}`;
    this.#path = path;
    this.#metadata = metadata;
  }

  /** The chunk with another message in the place of this one. */
  replaced(by: BaseMessage): unknown {
    const made = [by, this.#metadata];
    return this.#path.length === 0 ? made : [...this.#path, made];
  }
}

/** A chunk in which messages stand that are whole. */
export interface CompleteMessages {
  readonly complete: ReadonlySet<string>;
}

/** The content of one chunk of the graph, as far as it tells of messages. */
export type Found = Piece | Said | CompleteMessages;

/** Whether no more comes of this piece's message. The steps of one graph are over when a later one says something. */
export function isOver({ message, graph, step }: Piece, found: Found): boolean {
  if ("complete" in found) return message.id !== undefined && found.complete.has(message.id);
  return graph === found.graph && step !== undefined && found.step !== undefined && step < found.step;
}

/**
 * A finder of messages in chunks of the graph, by what was asked for: `[namespace?, mode?, value]`. Undefined for what says nothing of
 * messages, and where no message streams.
 */
export function pieceFinder({
  streamMode,
  subgraphs,
  encoding,
}: AgentConfig = {}): (chunk: unknown) => Piece | Said | CompleteMessages | undefined {
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
    const said = saidIn(metadata);
    if (!isBaseMessage(message) || !isAIMessageChunk(message as AIMessageChunk)) return said;
    return new Piece(message as AIMessageChunk, metadata, said, depth === 0 ? none : path.slice(0, depth));
  };
}

/** The graph of a checkpoint's namespace: the last of its path is the task in the graph. */
const graphOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf("|")));

/** The step with its checkpoint's namespace. */
interface SaidAt extends Said {
  readonly place: string;
}

const none: readonly never[] = [];

function saidIn(metadata: unknown): SaidAt {
  const { langgraph_checkpoint_ns: namespace = "", langgraph_step: step } = isRecord(metadata) ? metadata : {};
  const place = String(namespace);
  return { place, graph: graphOf(place), step: typeof step === "number" ? step : undefined };
}

const idsIn = (state: unknown): readonly string[] =>
  isRecord(state) && Array.isArray(state.messages)
    ? state.messages.filter(isBaseMessage).flatMap(({ id }) => id ?? [])
    : [];
