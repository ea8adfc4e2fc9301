import type { RedactorOptions } from "../redact/redactor.js";
import type { AsyncVault, Vault } from "../tokens/vault.js";

/** The places where a plugin applies. Each can be set separately. */
export interface Places {
  /**
   * The complete input of models: every message of a request, including old and system messages, the descriptions of
   * tools, and the output schema. Default: true.
   */
  readonly input?: boolean;
  /**
   * Text and reasoning of the model's answer, streamed or not. With an output schema, the text is JSON and remains
   * valid JSON.
   */
  readonly output?: boolean;
  /**
   * Arguments of tool calls, in the model's answer (streamed or not) and in the call of the tool. The tool receives the
   * treated arguments.
   */
  readonly toolArguments?: boolean;
  /** Tool results, and errors thrown by tools, because models receive them too. */
  readonly toolResults?: boolean;
  /** The system prompt, each time it is built. */
  readonly systemPrompt?: boolean;
  /**
   * The input strings of embedding requests. Default: true if the framework supports it and `input` is not false. If
   * set to true, framework support is required.
   */
  readonly embeddings?: boolean;
  /** The search queries for documents, and the documents found. */
  readonly retrieval?: boolean;
  /** The queries to a memory, and the records found and stored. Ids of records are not changed. */
  readonly memory?: boolean;
  /** The questions to a person, and their answers. */
  readonly humanInput?: boolean;
  /**
   * The errors thrown by models, tools and whole replies, before your program catches them. An error without findings
   * is rethrown unchanged. Otherwise a copy of the same class is thrown.
   */
  readonly errors?: boolean;
  /** The records that tracing and audit emit. Default: true. `block` acts like `redact` here. */
  readonly telemetry?: boolean;
}

/** The places that get values in place of tokens. Never inside URLs, targets of Markdown links, or HTML attributes. */
export interface Restore {
  /** The text of the final answer, streamed or not. Default: true. */
  readonly output?: boolean;
  /**
   * The names of tools whose arguments get the original values. Default: none, so tools receive tokens, like models.
   */
  readonly tools?: readonly string[];
}

/** The options of `pii`. */
export interface PiiOptions<P extends Places = Places> extends Pick<RedactorOptions, "hashKey"> {
  /** The plugin's name in notifications. Default: `pii`. */
  readonly name?: string;
  /** The places where the rules apply. Default: `input`, `embeddings` and `telemetry`. */
  readonly apply?: P;
  /** `monitor`: reports its findings and changes nothing in calls. Telemetry is still redacted. */
  readonly mode?: "enforce" | "monitor";
  /**
   * Behavior if a recogniser or a strategy fails. `closed` (default): the call ends. `open`: the content passes
   * untreated, and a notification is reported.
   */
  readonly onError?: "closed" | "open";
  /**
   * The scope that `block` ends. `call` (default): the call fails; for a tool call, the model receives a short message
   * and the run continues. `run`: the whole run ends.
   */
  readonly onBlock?: "call" | "run";
  /**
   * The treatment of content that is not text: images, audio, files, their URLs, and bytes that are not valid UTF-8.
   * `allow` (default): passes it on. `drop`: removes it. `block`: ends the call, like the strategy `block`. Does not
   * apply to telemetry.
   */
  readonly onUnscannable?: "allow" | "drop" | "block";
  /**
   * The vault for the values of `tokenize`, separate for each session. Default: in memory, for this plugin only. May be
   * asynchronous. Runs without a session are isolated from each other, and their values are deleted when they end.
   */
  readonly vault?: Vault | AsyncVault;
  /** The places where values are restored. */
  readonly restore?: Restore;
}
