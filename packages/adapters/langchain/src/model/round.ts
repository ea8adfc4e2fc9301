import type { AIMessage } from "@langchain/core/messages";
import { CoreError, type Delta, type Invocation, type Outcome, type Reply, redactorOf } from "@suite/core";
import type { Answer, PluginStack } from "@suite/core/adapter";
import type { InRun } from "@suite/core/framework";
import { countUsage, reasonOf, settlementOf, signalOfAttempt } from "@suite/core/framework";
import { explodeReply } from "@suite/core/messages";
import { noteReply } from "../run-notes.js";
import { askOf, modelOfAttempt } from "./ask.js";
import { Attempt } from "./attempt.js";
import { guardedRunnable, notAChatModel } from "./guarded.js";
import { messageOf } from "./reply.js";
import type { Handler, HandlerRequest, RoundRequest } from "./request.js";

interface OpenAttempt {
  /** The invocation. `undefined` if the model only returns the answer of a layer. */
  readonly invocation?: Invocation<"model"> | undefined;
  readonly attempt: Attempt;
  /** The message that the framework creates from the answer: a message, or the result of a structured answer. */
  readonly answered: Promise<AIMessage>;
}

/** The model of an attempt and its invocation. */
interface AttemptModel {
  readonly runnable: RoundRequest["runnable"];
  readonly invocation: Invocation<"model">;
}

/**
 * One round of LangChain: a `reasoning` call that contains the system prompt and a `model` call. The framework calls
 * the model, as often as the layers require, and the model returns the answer after the layers.
 */
export class Round {
  readonly #stack: PluginStack;
  readonly #within: InRun;
  readonly #request: RoundRequest;
  readonly #handler: Handler;
  /** The open attempts. If there are several at the same time, those that a layer abandons are aborted. */
  readonly #open: OpenAttempt[] = [];

  constructor(stack: PluginStack, within: InRun, request: RoundRequest, handler: Handler) {
    this.#stack = stack;
    this.#within = within;
    this.#request = request;
    this.#handler = handler;
    // The run of an agent already has these. The run of a single model call learns its model here.
    const { run } = within;
    run.takesClients = true;
    run.takesBranches = true;
    run.ask ??= askOf(stack, run, request.runnable, request.original.runtime?.configurable);
  }

  async result(): Promise<AIMessage> {
    let outcome: Outcome<Delta, Reply>;
    try {
      outcome = await this.#reasoning();
    } catch (error) {
      await this.#giveUp(error);
      throw error;
    }
    void this.#giveUp(triedAgain(), this.#open.length > 1 ? isOver : () => false);
    // If a layer answered, the framework still calls the model, which returns the answer without a request. So the
    // framework handles it like any other answer.
    const { attempt, answered } = this.#open.at(-1) ?? this.#enter({ messages: [] }, new Attempt(false));
    attempt.answer(outcome);
    const result = await answered;
    const settlement = await outcome.settled;
    if (settlement.status === "completed") noteReply(this.#within.run, settlement.final);
    return result;
  }

  /**
   * Returns the message of a reply that replaces the model's. The framework calls the model, which returns it without a
   * request, so that it is handled like any other answer.
   */
  async answerWith(reply: Reply): Promise<AIMessage> {
    noteReply(this.#within.run, reply);
    // The framework must not parse this reply as a structured answer.
    if (this.#request.original.responseFormat !== undefined) return messageOf(reply);
    const { attempt, answered } = this.#enter({ messages: [] }, new Attempt(false));
    attempt.answer(outcomeOf(reply));
    return answered;
  }

  #reasoning(): Promise<Outcome<Delta, Reply>> {
    const stack = this.#stack;
    const { run, call } = this.#within;
    if (!stack.has.reasoning) return this.#model(this.#request.reasoning, call);
    return stack.call(
      "reasoning",
      run,
      this.#request.reasoning,
      async (reasoning) => {
        const outcome = await this.#model(reasoning.request, reasoning.call);
        reasoning.respond(outcome.streaming ? { stream: outcome } : await answerOfOutcome(outcome));
      },
      call,
    );
  }

  async #model(reasoning: Invocation<"reasoning">["request"], parent: InRun["call"]): Promise<Outcome<Delta, Reply>> {
    const stack = this.#stack;
    const { run } = this.#within;
    const prompt = await stack.systemPrompt(this.#request.systemPrompt, run);
    const request = this.#request.model(reasoning, prompt);
    return stack.call("model", run, request, (invocation) => this.#callModel(invocation, request.model), parent);
  }

  /** @param defaultModel the name of the agent's model. */
  async #callModel(invocation: Invocation<"model">, defaultModel: string): Promise<void> {
    // A layer has dropped the previous answer, so the framework's callbacks receive an error.
    if (this.#open.length > 0) await this.#giveUp(triedAgain(), isOver);
    const runnable = modelOfAttempt(this.#request.runnable, invocation, defaultModel);
    const signal = signalOfAttempt(this.#stack, invocation, undefined);
    const redactor = redactorOf(invocation.runtime);
    const { attempt, answered } = this.#enter(
      this.#request.changes(invocation.request, redactor),
      new Attempt(true, signal, redactor),
      {
        runnable,
        invocation,
      },
    );
    const unasked = answered.then(() => Promise.reject(notAChatModel()));
    invocation.respond(await Promise.race([attempt.modelAnswer, unasked]));
    const { runtime } = invocation;
    invocation.pipe({
      settle(settlement) {
        if (settlement.status === "completed") countUsage(runtime, settlement.final.usage);
      },
    });
  }

  /** Lets the framework call the model. */
  #enter(
    changes: Partial<HandlerRequest>,
    attempt: Attempt,
    { runnable, invocation }: Partial<AttemptModel> = {},
  ): OpenAttempt {
    const { original } = this.#request;
    const answered = Promise.resolve(
      this.#handler({ ...original, ...changes, model: guardedRunnable(runnable ?? this.#request.runnable, attempt) }),
    );
    answered.catch(() => {}); // handled by the code that awaits it
    const entry: OpenAttempt = { attempt, answered, invocation };
    this.#open.push(entry);
    return entry;
  }

  /** Abandons the attempts that are over. Default: all. */
  async #giveUp(error: unknown, over: (entry: OpenAttempt) => boolean = () => true): Promise<void> {
    for (const entry of this.#open.filter(over)) {
      this.#open.splice(this.#open.indexOf(entry), 1);
      entry.attempt.fail(error);
      await entry.answered.catch(() => {});
    }
  }
}

/** True if a layer has abandoned an attempt or replaced it. */
const isOver = ({ invocation }: OpenAttempt): boolean => invocation?.signal.aborted === true;

const triedAgain = (): CoreError => new CoreError("ERR_CANCELLED", "The call was tried again.");

/** Keeps a plain answer plain, so that an unchanged one remains the same object. */
async function answerOfOutcome(outcome: Outcome<Delta, Reply>): Promise<Answer<"reasoning">> {
  const settlement = await settlementOf(outcome);
  if (settlement.status === "completed") return { value: settlement.final };
  if (settlement.status === "suspended") return { suspended: settlement.pending };
  throw reasonOf(settlement);
}

/** Returns a reply as an outcome that was not read yet. */
const outcomeOf = (reply: Reply): Outcome<Delta, Reply> => ({
  streaming: false,
  ready: async () => {},
  final: async () => reply,
  settled: Promise.resolve({ status: "completed", final: reply }),
  async *[Symbol.asyncIterator]() {
    yield* explodeReply(reply);
    return undefined;
  },
});
