import { StreamedRunResult } from "@openai/agents";
import type { AnyState, AnyStreamed, RunEvent } from "../framework.js";

/** The members of a streamed result that the SDK's runner uses but does not declare. */
interface Feed {
  _addItem(event: RunEvent): void;
  _done(): void;
  _raiseError(error: unknown, options?: object): void;
  _preserveQueuedItemsOnError(): void;
  _hideFinalOutput(): void;
  _revealFinalOutput(): void;
  _getAbortSignal(): AbortSignal | undefined;
  _setStreamLoopPromise(loop: Promise<void>): void;
  _getStreamLoopPromise(): Promise<void> | undefined;
}

/** A streamed result as the SDK's runner writes to it. */
export type Fed = AnyStreamed & Feed;

interface ResultOptions {
  readonly state: AnyState;
  readonly signal?: AbortSignal;
}

/** The SDK's class of streamed results. */
export const StreamedResult = StreamedRunResult as unknown as {
  new (options: ResultOptions): Fed;
  readonly prototype: Fed;
};
