import type { Delta, FinishDelta, Message, ModelRequest, Part, ToolChoice } from "@suite/core";
import type { Json } from "../json.js";
import type { ServerEvent } from "../sse/event.js";

/** An object of an answer that is being written. */
export type Draft = Record<string, unknown>;

/** Remembers which object of the wire a neutral one is the reading of, so that it goes back as it came. */
export type Remember = <Neutral extends object>(neutral: Neutral, wire: unknown) => Neutral;

/** A message to be sent. */
export interface Outgoing {
  readonly message: Message;
  /** The wire's object of the message, where nothing of it has changed. */
  readonly same: unknown;
  /** The wire's object in its place, of which it is a changed copy. */
  readonly before: unknown;
  /** The wire's object of a part, where nothing of it has changed. */
  readonly origin: (part: Part) => unknown;
}

/** The place of a tool's definition, and the names of its fields there. */
export interface ToolPlace {
  readonly inside?: string;
  readonly parameters: string;
  /** Another name for the parameters, which a definition keeps. */
  readonly older?: string;
  readonly type?: string;
}

/** The address of a request, read for what its body does not say. */
interface Route {
  model(url: URL): string;
  streams(url: URL): boolean;
  /** Whether what streams is a JSON list, and no event stream. */
  isList(url: URL): boolean;
  /** The address at which an answer is asked for that does not stream. */
  plain(url: URL): URL;
  /** The address at which another model is asked. */
  to(url: URL, model: string): URL;
}

/** The request format of one protocol: where it keeps what a request says. */
export interface RequestFormat {
  /** The settings' names here, by those of OpenTelemetry. */
  readonly settings: Readonly<Record<string, string>>;
  /** Fields that are read as something else than a setting. */
  readonly fields: ReadonlySet<string>;
  messages(body: Json, remember: Remember): readonly Message[];
  writeMessages(messages: readonly Outgoing[], body: Json): Json;
  /** The place of a tool's definition: name, description and parameters under these names. */
  readonly tool: ToolPlace;
  /** The definitions of tools, where they are no plain list. */
  toolsIn?(body: Json): readonly Json[];
  writeTools?(tools: readonly unknown[]): unknown;
  /** The choice of a tool, where it is not `tool_choice`. */
  choiceIn?(body: Json): ToolChoice | undefined;
  writeChoice?(choice: ToolChoice | undefined, body: Json): Json;
  /** Settings that do not stand at the top. */
  settingsIn?(body: Json): readonly (readonly [string, unknown])[];
  writeSettings?(changes: Json, body: Json): Json;
  outputSchema(body: Json): unknown;
  writeOutputSchema(schema: unknown, body: Json): Json;
}

/** A place of an answer in which something is said. */
export interface Slot {
  /** The place's name, the same in a stream and in a whole answer. */
  readonly at: string;
  readonly part: Part;
  /** Puts another part of the same type in its place, or takes it out. */
  write(part: Part | undefined): void;
}

/** A whole answer, to be read, and written over. */
export interface AnswerView {
  readonly slots: readonly Slot[];
  readonly finish: FinishDelta;
  /** Puts a part behind the others. */
  append(part: Part): void;
  writeFinish(finish: FinishDelta): void;
}

/** One answer that streams, between the provider's events and the layers. */
export interface StreamFormat {
  /** The events to be sent on, in order. Taken away by whoever sends them. */
  readonly out: ServerEvent[];
  /** Whether the provider has sent anything. */
  readonly begun: boolean;
  /** Whether the provider has said that the answer is complete. */
  readonly finished: boolean;
  /** Reads an event: gives what it says to the layers, and keeps the rest for its turn. */
  read(event: ServerEvent): readonly Delta[];
  /**
   * The body has ended without the provider's last word: what is known of the end.
   *
   * @param rest what came of an event that was cut off.
   */
  cutShort(rest?: string): readonly Delta[];
  /** Takes a delta that the layers let through. */
  write(delta: Delta): void;
  /** Ends the stream: what waits goes out. */
  end(): void;
}

/** The wire format of one protocol, for what the neutral model says. */
export interface WireFormat {
  /** The provider as in `gen_ai.provider.name`, where the host tells no other. */
  readonly provider: string;
  readonly request: RequestFormat;
  readonly route?: Route;
  answer(body: Draft): AnswerView;
  /** An answer in which nothing is said yet: a layer answers by itself. */
  empty(request: ModelRequest): Draft;
  /** A whole answer as a stream would have told it. */
  events(body: Json): readonly ServerEvent[];
  stream(): StreamFormat;
  /** The event by which the provider tells of a failure in mid-stream. */
  failure(body: unknown): ServerEvent;
  /** Whether the provider's client passes over an event unread. */
  ignores?(event: ServerEvent): boolean;
  /** An event without content that the provider's client fails to parse, in place of one that nobody could look at. */
  readonly unreadable: ServerEvent;
}
