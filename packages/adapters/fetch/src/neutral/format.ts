import type { Message, ModelRequest, Part, Tool } from "@suite/core";
import type { ModelSettings, ToolChoice } from "@suite/core/contract";
import type { Draft, Edit } from "@suite/core/editor";
import type { Json } from "../json.js";
import type { ServerEvent } from "../sse/event.js";
import type { AnswerEvents } from "./answer-events.js";
import type { Field } from "./fields.js";

/** Stores the provider's object for a neutral one, so that it is sent back unchanged. */
export type Remember = <Neutral extends object>(neutral: Neutral, wire: Json) => Neutral;

/** A message to be sent. */
export interface Outgoing {
  readonly message: Message;
  /** The turn that the message was read from, if nothing of it has changed. */
  readonly same: Json | undefined;
  /** The original turn at this position, if the message is a changed copy of it. */
  readonly before: Json | undefined;
  /** Returns the object that a part was read from, if nothing of it has changed. */
  readonly origin: (part: Part) => unknown;
}

/** The system prompt of a request, if it is not one of the turns. */
interface SystemField {
  /** The field, and other names of it. */
  readonly fields: readonly [string, ...string[]];
  /** Returns the value of the field as a turn. */
  read(value: unknown): Json;
  /** Returns the value of the field. */
  write(turns: readonly Json[]): unknown;
}

/** The parts of a request that the address contains instead of the body. */
interface Route {
  model(url: URL): string;
  streams(url: URL): boolean;
  /** Returns true if the answer streams as a JSON list instead of events. */
  isList(url: URL): boolean;
  /** Returns the address of the same request without streaming. */
  withoutStreaming(url: URL): URL;
  /** Returns the address of the same request to another model. */
  to(url: URL, model: string): URL;
}

/** The request format of one protocol. */
export interface RequestFormat {
  /** The field of the turns. A string is one turn of the user. */
  readonly turns: string;
  readonly system?: SystemField;
  message(turn: Json, remember: Remember): Message;
  /** Returns the turns of a message that was changed, or made by a layer. */
  write(message: Outgoing): readonly unknown[];
  /** Returns the value of the field of the turns, if it may be a string. @param before the value that it replaces */
  writeTurns?(turns: readonly Json[], before: unknown): unknown;
  readonly tools: Field<readonly Tool[]>;
  readonly toolChoice: Field<ToolChoice | undefined>;
  readonly settings: Field<ModelSettings>;
  readonly outputSchema: Field<unknown>;
}

/** The wire format of one protocol. */
export interface WireFormat {
  /** The provider as in `gen_ai.provider.name`, if the host does not name another one. */
  readonly provider: string;
  readonly request: RequestFormat;
  readonly route?: Route;
  /** Registers the strings, values and finish mark of a whole answer. */
  answer(edit: Edit): void;
  /** Appends a part that a layer made to a whole answer. */
  append(body: Draft, part: Part): void;
  /** Returns an answer without content, for a layer that answers by itself. */
  empty(request: ModelRequest): Draft;
  /** Returns the events of a whole answer. */
  events(body: Json): readonly ServerEvent[];
  stream(): AnswerEvents;
}
