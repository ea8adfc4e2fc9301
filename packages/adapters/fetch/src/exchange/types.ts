import type { Delta, ModelRequest, Outcome, Reply } from "@suite/core";
import type { WireFormat } from "../neutral/format.js";
import type { Framing } from "../sse/framing.js";
import type { Attempt } from "./attempt.js";
import type { Fetch, Target } from "./target.js";

/** The request to a model: its protocol, address and body. */
export interface Exchange<Format = WireFormat> {
  readonly format: Format;
  readonly target: Target;
  readonly body: string;
  readonly fetch: Fetch;
}

/** The exchange once the model was asked, with its answer. */
export interface Exchanged {
  readonly format: WireFormat;
  readonly framing: Framing;
  readonly request: ModelRequest;
  readonly outcome: Outcome<Delta, Reply>;
  /** The last attempt; undefined where a layer answered without asking. */
  readonly attempt: Attempt | undefined;
}
