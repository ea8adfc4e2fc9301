import type { Final, Request, Tool } from "@suite/core";
import type { Params } from "../protocol.js";

/** The kinds of calls that MCP has a request for. */
export type MethodKind = "tool" | "model" | "humanInput";

/** A protocol method whose requests are calls of one kind. Unchanged values remain the same objects. */
export interface Method<K extends MethodKind = MethodKind> {
  readonly kind: K;
  request(params: Params): Request<K>;
  /** Returns the parameters with the changes of the layers. */
  params(before: Params, request: Request<K>): Params;
  /** @throws ToolFailure for a result that reports a failure. */
  final(result: unknown): Final<K>;
  /** Returns the result with the changes of the layers, or a result for the answer of a layer. */
  result(before: unknown, final: Final<K>): unknown;
  /** Marks the result as failed. `undefined` if the result cannot report a failure. */
  readonly failed?: (result: unknown) => unknown;
}

/** Creates a tool with an `execute` that is never called. A tool without one would count as running elsewhere. */
export const executed = (name: string): Tool => ({ name, execute: () => undefined });
