import { type CallId, definePlugin, type Message, override, type Plugin, type RuntimeContext } from "@suite/core";
import { isQuestion } from "@suite/core/messages";
import { callable, common, count, either, listOf, name as text } from "@suite/kit/options";
import { type AskedModel, modelChecks } from "./ask.js";
import { type CountOptions, counting, Sizes } from "./count.js";
import { historyStart, keptMessages, newestWithin } from "./newest.js";
import { type ContextOptions, checkOptions, invalid } from "./options.js";
import { type Summarize, type Summarizer, summarized } from "./summary/ask.js";
import { markOf, summaryKey, summaryOf } from "./summary/kept-summary.js";
import { summaryIn, summaryMessage } from "./summary/summary-message.js";
import { type ContextSize, contextSize, type Threshold, thresholdOf } from "./summary/thresholds.js";
import { transcriptOf } from "./summary/transcript.js";

/** The options of `summarization`. */
export interface SummarizationOptions extends ContextOptions, CountOptions, AskedModel {
  /** The size above which the history is summarised. With several sizes, any one triggers it. */
  readonly trigger: ContextSize | readonly ContextSize[];
  /** The newest part that is not summarised. Default: 20 messages. */
  readonly keep?: ContextSize;
  /** The size of the model's context window in tokens, for fractions of it. */
  readonly contextWindow?: number;
  /** Summarises instead of the run's model: for frameworks that do not let plugins ask a model. */
  readonly summarize?: Summarize;
  /** The instructions for the summarising model. The conversation follows them. */
  readonly prompt?: string;
  /** The maximum number of conversation tokens sent to be summarised. The oldest are left out. Default: 50 000. */
  readonly maxInputTokens?: number;
}

/** The number of consecutive failures after which a run stops asking. */
const mostFailures = 3;

/** The history of one round. */
interface Round {
  /** The whole history of the run. */
  readonly messages: readonly Message[];
  /** The index at which the history begins, after the system prompt. */
  readonly first: number;
  /** Returns the tokens sent in addition to the messages. Called only if tokens are counted. */
  readonly fixed: () => number | PromiseLike<number>;
  /** The summary of the beginning, and the number of messages that it covers. */
  readonly previous: { readonly text: string; readonly of: number } | undefined;
  readonly runtime: RuntimeContext;
  readonly call: CallId;
  readonly signal: () => AbortSignal;
}

/** A history whose first messages are replaced by a summary. */
interface Shortened {
  readonly text: string;
  readonly of: number;
}

/**
 * Summarises the older part of a history that has grown too large, and keeps the newest part unchanged, without
 * separating a tool call from its result. An earlier summary is extended. In @suite/agent the history itself is
 * replaced, so results, suspended runs and the next run contain the summary. In other frameworks only the run's
 * requests change, and the summary is durable state of the run.
 *
 * Fails open: if a summary fails, the history is sent unchanged and a `decision` is reported. After three consecutive
 * failures the run stops asking.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`; in a run `ERR_CONTEXT_COUNT`
 * @example
 * ```ts
 * summarization({ trigger: [{ fraction: 0.8 }, { messages: 200 }], contextWindow: 200_000, keep: { messages: 20 } });
 * ```
 */
export function summarization(options: SummarizationOptions): Plugin {
  const summarizer = new Summarization(options);
  return definePlugin({
    name: summarizer.name,
    single: true,
    oneOf: ["compressContext", "model"],
    settings: summarizer.settings,

    /** Replaces the older messages in the history of the run by a summary. Only @suite/agent calls this hook. */
    async compressContext(invocation, callNext) {
      const { request, runtime, call } = invocation;
      const { messages, systemPrompt } = request;
      const previous = summaryIn(messages[0]);
      const round: Round = {
        messages,
        first: 0,
        fixed: async () => summarizer.sizes.text((await systemPrompt?.()) ?? ""),
        previous: previous === undefined ? undefined : { text: previous, of: 1 },
        runtime,
        call,
        signal: () => invocation.signal,
      };
      const done = await summarizer.shorten(round);
      if (done !== undefined) invocation.request = override(request, { messages: summarizer.replaced(round, done) });
      await callNext();
    },

    /** Replaces the older messages in a request by a summary. The history itself is unchanged. */
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      if (request.purpose !== undefined) return callNext();
      const { messages } = request;
      const first = historyStart(messages);
      const previous = summaryOf(runtime.get(summarizer.key), messages, first);
      const fixed = () => summarizer.sizes.messages(messages.slice(0, first)) + summarizer.sizes.tools(request.tools);
      const round: Round = { messages, first, fixed, previous, runtime, call, signal: () => invocation.signal };
      const done = await summarizer.shorten(round);
      if (done !== undefined) {
        const last = markOf(messages[first + done.of - 1] as Message);
        runtime.set(summarizer.key, { summary: { ...done, last }, failures: 0 });
      }
      const now = done ?? previous;
      if (now !== undefined) invocation.request = override(request, { messages: summarizer.replaced(round, now) });
      await callNext();
    },
  });
}

/** The compiled options of `summarization`, and the operations of a round. */
class Summarization {
  readonly name: string;
  readonly sizes: Sizes;
  readonly key;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly #triggers: readonly Threshold[];
  readonly #keep: Threshold;
  readonly #by: Summarizer;
  readonly #enforced: boolean;
  readonly #maxInput: number;

  constructor(options: SummarizationOptions) {
    const checks = {
      ...common,
      ...counting,
      trigger: either(contextSize, listOf(contextSize)),
      keep: contextSize,
      contextWindow: count,
      ...modelChecks,
      summarize: callable,
      prompt: text,
      maxInputTokens: count,
    };
    options = checkOptions("summarization", options, checks, ["trigger"]);
    const { keep = { messages: 20 }, contextWindow, name = "summarization", mode = "enforce" } = options;
    const triggers = "length" in options.trigger ? options.trigger : [options.trigger];
    this.#triggers = triggers.map((each) => thresholdOf(each, contextWindow));
    this.#keep = thresholdOf(keep, contextWindow);
    if (this.#triggers.some(({ unit, amount }) => unit === this.#keep.unit && amount <= this.#keep.amount)) {
      throw invalid(
        "The option keep of summarization() must be less than each trigger of the same unit, or a summary saves nothing.",
      );
    }
    this.name = name;
    this.sizes = Sizes.ofTokens(options);
    this.key = summaryKey(name);
    this.settings = { trigger: this.#triggers, keep: this.#keep, mode };
    this.#by = options;
    this.#enforced = mode === "enforce";
    this.#maxInput = options.maxInputTokens ?? 50_000;
  }

  /** Returns the new summary of a round, if its history is too large and a summary can be made. */
  async shorten(round: Round): Promise<Shortened | undefined> {
    const { messages, first, previous, runtime, call } = round;
    const from = first + (previous?.of ?? 0);
    const recent = messages.slice(from);
    if (!(await this.#exceeded(round, recent))) return undefined;
    const sizeOf = this.#keep.unit === "messages" ? () => 1 : (message: Message) => this.sizes.message(message);
    const older = newestWithin(recent, 0, this.#keep.amount, sizeOf).from;
    const { failures } = runtime.get(this.key);
    if (older === 0 || failures >= mostFailures) return undefined;
    const transcript = transcriptOf(recent.slice(0, older), this.#maxInput, this.sizes);
    const details = { messages: older, left_out: transcript.omitted, extended: previous !== undefined };
    const notify = (decision: string): void =>
      runtime.notify({ type: "decision", plugin: this.name, decision, enforced: this.#enforced, call, details });
    if (!this.#enforced) return void notify("summarized");
    const work = { transcript: transcript.text, previous: previous?.text, runtime, signal: round.signal() };
    const answer = await summarized(this.#by, work, call);
    if ("failure" in answer) {
      runtime.set(this.key, { ...runtime.get(this.key), failures: failures + 1 });
      return void notify(answer.failure);
    }
    if (failures > 0) runtime.set(this.key, { ...runtime.get(this.key), failures: 0 });
    notify("summarized");
    return { text: answer.text, of: (previous?.of ?? 0) + older };
  }

  /** Returns the history with its beginning replaced. The newest question stays, even if it is summarised. */
  replaced({ messages, first }: Round, { text, of }: Shortened): readonly Message[] {
    const from = first + of;
    const question = messages.findLastIndex(isQuestion);
    const questionIndex = question < from && summaryIn(messages[question]) === undefined ? question : undefined;
    const rest = keptMessages(messages.slice(first), 0, {
      from: of,
      question: questionIndex === undefined || questionIndex < first ? undefined : questionIndex - first,
      fits: true,
    });
    return [...messages.slice(0, first), summaryMessage(text), ...rest];
  }

  async #exceeded({ fixed, previous }: Round, recent: readonly Message[]): Promise<boolean> {
    const summary = previous === undefined ? 0 : 1;
    let tokens: number | undefined;
    for (const { unit, amount } of this.#triggers) {
      if (unit === "messages") {
        if (recent.length + summary > amount) return true;
        continue;
      }
      tokens ??= (await fixed()) + this.sizes.messages(recent) + (previous ? this.sizes.text(previous.text) : 0);
      if (tokens > amount) return true;
    }
    return false;
  }
}
