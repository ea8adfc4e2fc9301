import type { Final, Request, Tool } from "@suite/core";
import type { Params } from "../protocol.js";

/** The kinds of call that MCP has a request for. */
export type MethodKind = "tool" | "model" | "humanInput";

/** The method of a protocol whose requests are calls of one kind. What no layer changed stays the same object. */
export interface Method<K extends MethodKind = MethodKind> {
  readonly kind: K;
  request(params: Params): Request<K>;
  /** The parameters with what the layers changed. */
  params(before: Params, request: Request<K>): Params;
  /** @throws ToolFailure for a result that tells of a failure. */
  final(result: unknown): Final<K>;
  /** The result with what the layers changed, or made from an answer that a layer gave itself. */
  result(before: unknown, final: Final<K>): unknown;
  /** The result as one of failure. Undefined where a result cannot say that. */
  readonly failed?: (result: unknown) => unknown;
}

/** A tool that answers as soon as it can: one without `execute` would be waited for elsewhere. Nobody calls it but MCP. */
export const executed = (name: string): Tool => ({ name, execute: () => undefined });
