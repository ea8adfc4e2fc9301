import type { Awaitable, CallNext, Delta, Emit, Invocation, Reply, Settlement, Stage } from "@suite/core";
import type { ArgumentsDelta, PartDelta } from "@suite/core/messages";
import { PartOrder, type PartSlot } from "@suite/core/parts";
import { preparedStage } from "../redact/async/prepared.js";
import { JsonStream } from "../redact/stream/json-stream.js";
import { Tally } from "../redact/tally.js";
import { treatValue } from "../redact/value.js";
import type { LinkContext } from "../tokens/links/link-context.js";
import { RestoreStream, restoreText } from "../tokens/restore-stream.js";
import type { TokenReader } from "../tokens/token-reader.js";
import { ArgumentsFlow, type Flow, type FlowStream, TextFlow } from "./flows.js";
import { treatPart } from "./parts.js";
import type { RunTokens, TokenRuns } from "./run-tokens.js";

/** Restores values in whole replies, when the answer leaves the outermost run. */
export function replyLayer(runs: TokenRuns) {
  return async (context: Invocation<"agent">, callNext: CallNext): Promise<void> => {
    const runTokens = runs.of(context.runtime);
    runTokens.layered = true;
    await callNext();
    if (runTokens.outermost) context.pipe(restoreOutput(runs, runTokens));
  };
}

/** Returns an earlier answer with its values restored, if it leaves the outermost run. */
export function revealAnswer({ rules }: TokenRuns, runTokens: RunTokens, text: string): Awaitable<string> {
  if (!runTokens.restoresText) return text;
  const open = (): RestoreStream => new RestoreStream(rules.reader, runTokens.find);
  const restore = (): string => {
    const stream = isJson(text) ? new JsonStream(open) : open();
    const head = stream.push(text);
    return head + stream.end();
  };
  return runTokens.prepared(restore).run((run) => run());
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The output of a reply with its values restored. */
export function restoreOutput(runs: TokenRuns, runTokens: RunTokens): Stage<Delta, Reply> {
  return preparedStage(runTokens.prepared(undefined).map(() => new RestoreStage(runTokens, runs.rules.reader)));
}

/**
 * Restores the input of a tool that may receive values.
 *
 * @param use Receives the restored input
 */
export function restoreInput<T = unknown>(
  { rules }: TokenRuns,
  runTokens: RunTokens,
  input: unknown,
  use: (restored: unknown) => T = (restored) => restored as T,
): Awaitable<T> {
  const text = (written: string): string => restoreText(written, rules.reader, runTokens.find);
  return runTokens.prepared(text).run((restore) => treatValue(input, restore), use);
}

/** A tally without findings, since values are only restored here. */
const noFindings = new Tally();

/** The stage that restores values in an answer on its way out: in its text, and in the arguments of tools that may see them. */
class RestoreStage implements Stage<Delta, Reply> {
  readonly #tokens: RunTokens;
  readonly #reader: TokenReader;
  readonly #order = new PartOrder<Flow>((delta, slot, emit) => this.#restore(delta, slot, emit));
  /** The calls whose arguments are put back. */
  readonly #calls = new Set<string>();
  /** Strings are read in sequence, because a link may begin in one and end in the next. */
  #context: LinkContext | undefined;

  constructor(runTokens: RunTokens, reader: TokenReader) {
    this.#tokens = runTokens;
    this.#reader = reader;
  }

  chunk(delta: Delta, emit: Emit<Delta>): void {
    this.#order.accept(delta, emit);
  }

  flush(emit: Emit<Delta>): void {
    this.#order.end(emit);
  }

  settle({ status }: Settlement<Reply>): void {
    if (status === "suspended") this.#tokens.suspended = true;
  }

  #restore(delta: Delta, slot: PartSlot<Flow>, emit: Emit<Delta>): void {
    if (delta.type === "arguments") this.#json(delta, slot, emit);
    else if (delta.type === "part") this.#part(delta, slot, emit);
    else emit(delta);
  }

  #part(delta: PartDelta, slot: PartSlot<Flow>, emit: Emit<Delta>): void {
    const { part, at } = delta;
    if (part.type === "text" && this.#tokens.restoresText) {
      const flow = slot.text("text", () => this.#textFlow(at));
      flow.push({ content: part.content, delta }, emit);
    } else if (part.type === "tool_call" && this.#tokens.mayRestoreFor(part.name)) {
      this.#calls.add(at);
      const text = (written: string): string => restoreText(written, this.#reader, this.#tokens.find);
      const restored = treatPart(part, {
        text,
        messageText: text,
        value: (value) => treatValue(value, text),
        passes: () => true,
      });
      emit(restored === part ? delta : { ...delta, part: restored ?? part });
    } else emit(delta);
  }

  #json(delta: ArgumentsDelta, slot: PartSlot<Flow>, emit: Emit<Delta>): void {
    const { at, json } = delta;
    if (!this.#calls.has(at)) {
      emit(delta);
      return;
    }
    const flow = slot.text("arguments", () => new ArgumentsFlow(at, flowing(this.#jsonStream())));
    flow.push({ content: json, delta }, emit);
  }

  #textFlow(at: string): TextFlow {
    const stream = new RestoreStream(this.#reader, this.#tokens.find, this.#context);
    this.#context = stream.context;
    return new TextFlow(at, flowing(this.#tokens.json ? this.#jsonStream() : stream));
  }

  #jsonStream(): JsonStream {
    return new JsonStream(() => new RestoreStream(this.#reader, this.#tokens.find));
  }
}

const flowing = (stream: RestoreStream | JsonStream): FlowStream => ({
  tally: noFindings,
  get undecided() {
    return stream.undecided;
  },
  push: (chunk) => stream.push(chunk),
  end: () => stream.end(),
});
