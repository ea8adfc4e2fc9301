import type { RedactorOptions } from "../redact/redactor.js";
import type { AsyncVault, Vault } from "../tokens/vault.js";

/** The places where a plugin applies, each on its own. */
export interface Places {
  /**
   * All that a model is given: every message of a request, old ones and system messages too, what the tools are described
   * by, and the output schema. On unless switched off.
   */
  readonly input?: boolean;
  /** Text and reasoning of the model's answer, streamed or not. Where there is an output schema, the text is JSON and stays it. */
  readonly output?: boolean;
  /** Arguments of tool calls: in the model's answer, streamed or not, and when the tool is called. The tool then gets the treated ones. */
  readonly toolArguments?: boolean;
  /** The answers of tools; also what they throw, since models are told that. */
  readonly toolResults?: boolean;
  /** The system prompt, each time it is assembled. */
  readonly systemPrompt?: boolean;
  /**
   * The texts of requests for embeddings. Where a framework has a place for it, on unless `input` or this is switched
   * off; named here, it is required.
   */
  readonly embeddings?: boolean;
  /** The queries by which documents are searched for, and the documents that are found. */
  readonly retrieval?: boolean;
  /** The queries to a memory, the records that are found, and those that are kept. Not the ids of records, by which a memory knows them. */
  readonly memory?: boolean;
  /** The questions to a person, and their answers. */
  readonly humanInput?: boolean;
  /**
   * The errors that models, tools and whole replies throw, before your program catches it. What holds nothing to change
   * is thrown as it is; else a copy of the same class.
   */
  readonly errors?: boolean;
  /** The records that tracing and audit emit. On unless switched off. `block` means redact there. */
  readonly telemetry?: boolean;
}

/** The restoring of values: where those behind tokens are put back. Never inside URLs, targets of Markdown links, and HTML attributes. */
export interface Restore {
  /** The text of the final answer, streamed or not. On unless switched off. */
  readonly output?: boolean;
  /** The tools in whose arguments values are put back, by name. None unless named: tools see tokens, as models do. */
  readonly tools?: readonly string[];
}

export interface PiiOptions<P extends Places = Places> extends Pick<RedactorOptions, "hashKey"> {
  /** The plugin's name in notifications. `pii` unless said otherwise. */
  readonly name?: string;
  readonly apply?: P;
  /** `monitor`: reports what it would have done, and changes nothing in the call path. Telemetry is redacted all the same. */
  readonly mode?: "enforce" | "monitor";
  /**
   * The behaviour when a recogniser or a strategy fails: `closed` ends the call (the default); `open` lets it go on
   * untreated, and says so in a notification.
   */
  readonly onError?: "closed" | "open";
  /**
   * The scope that `block` ends: the `call` (the default; a tool's call then gives the model a short message, and the
   * run goes on), or the whole `run`.
   */
  readonly onBlock?: "call" | "run";
  /**
   * The treatment of content that is no text: images, audio, files, addresses of them, and bytes that are no UTF-8.
   * `allow`, the default: such content is passed on; `drop`: left out; `block`: it ends the call, as the strategy `block`
   * does. Telemetry is not concerned.
   */
  readonly onUnscannable?: "allow" | "drop" | "block";
  /**
   * The vault of the values of `tokenize`, apart for each session. Without it: in memory, for this plugin alone. It may
   * answer asynchronously. Runs without a session are kept apart from each other, and forgotten when they end.
   */
  readonly vault?: Vault | AsyncVault;
  /** The places where they are put back. */
  readonly restore?: Restore;
}
