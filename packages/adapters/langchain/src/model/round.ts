import type { AIMessage } from "@langchain/core/messages";
import {
  type Answer,
  CoreError,
  type Delta,
  explodeReply,
  type Invocation,
  type Outcome,
  type Reply,
  redactorOf,
} from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import type { InRun } from "@suite/core/framework";
import { countUsage, reasonOf, settlementOf, signalOfAttempt } from "@suite/core/framework";
import { noteReply } from "../run-notes.js";
import { askedModel, askOf } from "./ask.js";
import { Attempt } from "./attempt.js";
import { guardedRunnable, notAChatModel } from "./guarded.js";
import { messageOf } from "./reply.js";
import type { Handler, HandlerRequest, RoundRequest } from "./request.js";

interface Asked {
  /** The invocation; undefined where the model only says what a layer has answered. */
  readonly invocation?: Invocation<"model"> | undefined;
  readonly attempt: Attempt;
  /** The message that the framework makes of the answer: a message, or what became of a structured answer. */
  readonly answered: Promise<AIMessage>;
}

/** The model that an attempt asks, and for whom. */
interface Asks {
  readonly runnable: RoundRequest["runnable"];
  readonly invocation: Invocation<"model">;
}

/**
 * One round as LangChain has it: a call of `reasoning`, in it the system prompt, and a call of `model`. The framework asks the
 * model itself, as often as the layers want; what they made of the answer comes out of the model.
 */
export class Round {
  readonly #stack: PluginStack;
  readonly #within: InRun;
  readonly #request: RoundRequest;
  readonly #handler: Handler;
  /** The attempts that are open: of several at once, those that a layer gives up are aborted. */
  readonly #open: Asked[] = [];

  constructor(stack: PluginStack, within: InRun, request: RoundRequest, handler: Handler) {
    this.#stack = stack;
    this.#within = within;
    this.#request = request;
    this.#handler = handler;
    // A run of an agent has it from its beginning; one that is a model call alone knows its model from here.
    const { run } = within;
    run.takesClients = true;
    run.takesBranches = true;
    run.ask ??= askOf(stack, run, request.runnable, request.given.runtime?.configurable);
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
    // Where a layer answered in its place, the model is entered all the same, and not asked: the framework then does with
    // the answer what it does with any.
    const { attempt, answered } = this.#open.at(-1) ?? this.#enter({ messages: [] }, new Attempt(false));
    attempt.answer(outcome);
    const result = await answered;
    const settlement = await outcome.settled;
    if (settlement.status === "completed") noteReply(this.#within.run, settlement.final);
    return result;
  }

  /** A message that says a reply in the model's place: the model is entered, and not asked, so that the framework tells it as any answer. */
  async say(reply: Reply): Promise<AIMessage> {
    noteReply(this.#within.run, reply);
    // What the framework would take for a structured answer is none.
    if (this.#request.given.responseFormat !== undefined) return messageOf(reply);
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
        reasoning.respond(outcome.streaming ? { stream: outcome } : await plain(outcome));
      },
      call,
    );
  }

  async #model(asked: Invocation<"reasoning">["request"], parent: InRun["call"]): Promise<Outcome<Delta, Reply>> {
    const stack = this.#stack;
    const { run } = this.#within;
    const prompt = await stack.systemPrompt(this.#request.systemPrompt, run);
    const request = this.#request.model(asked, prompt);
    return stack.call("model", run, request, (invocation) => this.#ask(invocation, request.model), parent);
  }

  /** @param own the name of the agent's model. */
  async #ask(invocation: Invocation<"model">, own: string): Promise<void> {
    // An answer that a layer did not want: the framework's callbacks are told so.
    if (this.#open.length > 0) await this.#giveUp(triedAgain(), isOver);
    const runnable = askedModel(this.#request.runnable, invocation, own);
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
    invocation.respond(await Promise.race([attempt.said, unasked]));
    const { runtime } = invocation;
    invocation.pipe({
      settle(settlement) {
        if (settlement.status === "completed") countUsage(runtime, settlement.final.usage);
      },
    });
  }

  /** Lets the framework ask the model. */
  #enter(changes: Partial<HandlerRequest>, attempt: Attempt, { runnable, invocation }: Partial<Asks> = {}): Asked {
    const { given } = this.#request;
    const answered = Promise.resolve(
      this.#handler({ ...given, ...changes, model: guardedRunnable(runnable ?? this.#request.runnable, attempt) }),
    );
    answered.catch(() => {}); // told by whoever waits for it
    const asked: Asked = { attempt, answered, invocation };
    this.#open.push(asked);
    return asked;
  }

  /** Gives up the attempts that are over; by default all. */
  async #giveUp(error: unknown, over: (asked: Asked) => boolean = () => true): Promise<void> {
    for (const asked of this.#open.filter(over)) {
      this.#open.splice(this.#open.indexOf(asked), 1);
      asked.attempt.fail(error);
      await asked.answered.catch(() => {});
    }
  }
}

/** Whether a layer has given an attempt up, or made another one in its place. */
const isOver = ({ invocation }: Asked): boolean => invocation?.signal.aborted === true;

const triedAgain = (): CoreError => new CoreError("ERR_CANCELLED", "The call was tried again.");

/** A plain answer stays one, so that it goes back as the very object that it came as, where nobody changes it. */
async function plain(outcome: Outcome<Delta, Reply>): Promise<Answer<"reasoning">> {
  const settlement = await settlementOf(outcome);
  if (settlement.status === "completed") return { value: settlement.final };
  if (settlement.status === "suspended") return { suspended: settlement.pending };
  throw reasonOf(settlement);
}

/** A reply as an answer that nobody has read. */
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
