import type { RedactorOptions } from "../redactor/redactor.js";

/** Where a plugin applies, each place on its own. */
export interface Places {
  /** Every message of a model request, old ones and system messages too. On unless switched off. */
  readonly input?: boolean;
  /** Text and reasoning of the model's answer, streamed or not. */
  readonly output?: boolean;
  /** Arguments of tool calls: in the model's answer, streamed or not, and when the tool is called. The tool then gets the treated ones. */
  readonly toolArguments?: boolean;
  /** What tools answer. */
  readonly toolResults?: boolean;
  /** The system prompt, each time it is assembled. */
  readonly systemPrompt?: boolean;
  /** What a person answers when asked. */
  readonly humanInput?: boolean;
  /** What tracing and audit emit. On unless switched off. `block` means redact there. */
  readonly telemetry?: boolean;
}

export interface PiiOptions<P extends Places = Places> extends RedactorOptions {
  /** The plugin's name in notifications. `pii` unless said otherwise. */
  readonly name?: string;
  readonly apply?: P;
  /** `monitor`: reports what it would have done, and changes nothing in the call path. Telemetry is redacted all the same. */
  readonly mode?: "enforce" | "monitor";
  /** When a recogniser or a strategy fails: `closed` ends the call (the default); `open` lets it go on untreated, and says so in a notification. */
  readonly onError?: "closed" | "open";
}
