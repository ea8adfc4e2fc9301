import type { Delta, ModelRequest, Reply } from "@suite/core";
import type { ModelSettings } from "@suite/core/contract";
import type { Carrier } from "@suite/core/propagation";
import type { ModelServer } from "../../server/server.js";

/** A model client, as `@suite/agent` calls it: its type `Model`. */
export interface ModelClient {
  readonly name: string;
  generate(request: ModelRequest, options: ModelClientOptions): Promise<Reply>;
  stream(request: ModelRequest, options: ModelClientOptions): AsyncIterable<Delta, void>;
}

/** The options of one call. */
export interface ModelClientOptions {
  /** Cancels the request when it aborts. */
  readonly signal: AbortSignal;
  /** Returns the trace headers of a request. */
  readonly carrierFor?: (url: string) => Carrier | undefined;
}

/** A capability that some providers lack. */
export type ModelCapability = "reasoning" | "signatures" | "images" | "outputSchema";

/** A model client, as the contract tests see it. */
export interface ModelSubject {
  /**
   * Returns the server that the client calls. It is called in each test, so that the server may be started in
   * `beforeAll`.
   */
  server(): Pick<ModelServer, "script" | "requests" | "reset">;
  /** Creates a client of that server, without built-in retries. */
  create(): ModelClient;
  /** The capabilities that it lacks, each with the reason. */
  readonly lacks?: Readonly<Partial<Record<ModelCapability, string>>>;
  /** The settings that make the provider sign reasoning. */
  readonly signing?: ModelSettings;
}
