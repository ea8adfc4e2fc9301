import {
  type CallId,
  type CallNext,
  type Invocation,
  type Message,
  override,
  type Plugin,
  type Reply,
  type RuntimeContext,
  redactorOf,
  type StateKey,
  type StateStore,
  stateKey,
  textOf,
} from "@suite/core";
import { callable, count, either, oneOf, name as text } from "@suite/kit/options";
import type { ConversationBounds } from "./conversations/bounds.js";
import { Histories, type History } from "./conversations/history.js";
import { portable } from "./conversations/portable.js";
import { loaded, type OfRun, saved, turnOf } from "./conversations/rounds.js";
import { MemoryError } from "./errors.js";
import { checkOptions, having } from "./options.js";
import { now } from "./store.js";
import { type UserOf, userOf } from "./user.js";

/** The options of `conversations`. */
export interface ConversationsOptions extends ConversationBounds {
  /** The store: `memoryStateStore()` of `@suite/kit/store`, or one that processes share. */
  readonly store: StateStore;
  /** The conversation of a run. Default: its `sessionId`. A run without one has no history. */
  readonly sessionId?: string | ((runtime: RuntimeContext) => string | undefined);
  /** The user of a run. Other users cannot continue the conversation. Default: the run's `userId`. */
  readonly userId?: UserOf;
  /** Milliseconds after its last run until a conversation expires. Default: 30 days. */
  readonly ttl?: number;
  /**
   * Behavior if the history cannot be read. `closed` (default): the run fails with the store's error. `open`: the
   * run starts without history. Both are reported.
   */
  readonly onError?: "closed" | "open";
  /** The name on spans and in records, and the prefix of the store's keys. Default: `conversations`. */
  readonly name?: string;
}

const month = 30 * 24 * 60 * 60 * 1000;

const checks = {
  store: having("a StateStore", "get", "compareAndSet", "delete"),
  sessionId: either(text, callable),
  userId: either(text, callable),
  ttl: count,
  maxMessages: count,
  maxCharacters: count,
  onError: oneOf("closed", "open"),
  name: text,
};

/** The plugin that `conversations` creates, with methods for use outside of runs. */
export class ConversationsPlugin implements Plugin {
  readonly name: string;
  readonly single = true;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly #options: ConversationsOptions;
  readonly #histories: Histories;
  readonly #ofRun: StateKey<OfRun | undefined>;

  /** @internal Use `conversations`. */
  constructor(options: ConversationsOptions) {
    const { store, ttl = month, maxMessages = 1000, maxCharacters = 1_000_000, onError = "closed" } = options;
    this.name = options.name ?? "conversations";
    this.settings = { ttl, maxMessages, maxCharacters, onError };
    this.#options = options;
    this.#histories = new Histories(store, this.name, ttl, { maxMessages, maxCharacters });
    this.#ofRun = stateKey<OfRun | undefined>(this.name, () => undefined, { save: saved, load: loaded });
  }

  /** Prepends the conversation to the run's messages, and appends a completed run to the conversation. */
  async agent(invocation: Invocation<"agent">, callNext: CallNext): Promise<void> {
    const { runtime, request, call } = invocation;
    const goesOn = request.resume !== undefined;
    const before = goesOn ? undefined : await this.#begin(runtime, call, request.messages);
    const ofRun = goesOn ? runtime.get(this.#ofRun) : before?.ofRun;
    if (ofRun === undefined) return callNext();
    // A resumed run already contains its history.
    const messages = [...(before?.history ?? []), ...request.messages];
    runtime.set(this.#ofRun, { ...ofRun, asked: messages });
    if (messages.length > request.messages.length) invocation.request = override(request, { messages });
    await callNext();
    invocation.pipe({
      settle: (settlement) =>
        settlement.status === "completed" ? this.#keep(runtime, call, settlement.final) : undefined,
    });
  }

  /** Records the messages of each round. The last round has all messages of the run. */
  async reasoning(invocation: Invocation<"reasoning">, callNext: CallNext): Promise<void> {
    const { runtime, request } = invocation;
    const ofRun = runtime.get(this.#ofRun);
    if (ofRun === undefined) return callNext();
    const { said: _, ...others } = ofRun;
    const asked: OfRun = { ...others, asked: request.messages };
    runtime.set(this.#ofRun, asked);
    await callNext();
    invocation.pipe({
      settle: (settlement) => {
        if (settlement.status === "completed") runtime.set(this.#ofRun, { ...asked, said: settlement.final.message });
      },
    });
  }

  /**
   * Returns the messages of a conversation, for display.
   * @throws {MemoryError} `ERR_MEMORY_USER`
   */
  async messages(session: string, user?: string): Promise<readonly Message[]> {
    return (await this.#histories.read(session, user)).messages;
  }

  /** Deletes a conversation. */
  forget(session: string): Promise<void> {
    return this.#histories.forget(session);
  }

  /** Deletes all conversations of a user. Returns their number. */
  forgetUser(user: string): Promise<number> {
    return this.#histories.forgetUser(user);
  }

  /** Reads the history of a run. Returns `undefined` if it has no conversation. A sub-agent never has one. */
  async #begin(
    runtime: RuntimeContext,
    call: CallId,
    asked: readonly Message[],
  ): Promise<{ readonly ofRun: OfRun; readonly history: readonly Message[] } | undefined> {
    const { sessionId = runtime.sessionId, userId } = this.#options;
    const session = typeof sessionId === "function" ? sessionId(runtime) : sessionId;
    if (session === undefined || session === "" || runtime.parent !== undefined) return undefined;
    const user = userOf(runtime, userId);
    const began = now();
    const { messages, version } = await this.#read(session, user, runtime, call);
    const last = messages.at(-1);
    const ofRun = { session, user, version, began, before: messages.length, last: last ? textOf(last) : "", asked };
    return { ofRun, history: messages };
  }

  async #read(session: string, user: string | undefined, runtime: RuntimeContext, call: CallId): Promise<History> {
    try {
      return await this.#histories.read(session, user);
    } catch (error) {
      const { onError = "closed" } = this.#options;
      const isOthers = MemoryError.is(error) && error.code === "ERR_MEMORY_USER";
      this.#notify(runtime, call, isOthers ? "refused" : `fail_${onError}`);
      if (isOthers || onError === "closed") throw error;
      return { messages: [], version: undefined };
    }
  }

  /**
   * Appends a run to its conversation. The reply is already complete, so a failure is reported and does not fail the
   * run.
   */
  async #keep(runtime: RuntimeContext, call: CallId, final: Reply): Promise<void> {
    const ofRun = runtime.get(this.#ofRun);
    if (ofRun === undefined) return;
    const { session, user, version, began } = ofRun;
    const redactor = redactorOf(runtime);
    const { own, replaced } = turnOf(ofRun, final);
    try {
      const result = await this.#histories.append(session, {
        user,
        version,
        began,
        own: portable(own, redactor),
        replaced: replaced && portable(replaced, redactor),
      });
      this.#notify(runtime, call, result, { messages: own.length });
    } catch (error) {
      this.#notify(runtime, call, "write_failed");
      runtime.notify({ type: "fault", where: `the history of ${this.name}`, error });
    }
  }

  #notify(runtime: RuntimeContext, call: CallId, decision: string, details?: Readonly<Record<string, number>>): void {
    const more = details === undefined ? {} : { details };
    runtime.notify({ type: "decision", plugin: this.name, decision, enforced: true, call, ...more });
  }
}

/**
 * Keeps the history of each conversation in a store, so that a run with the same `sessionId` continues it. Only
 * completed runs are stored, within size limits and redacted by the run's redactors. Concurrent runs of one
 * conversation are both stored, in the order of their ends.
 *
 * @throws {MemoryError} `ERR_MEMORY_OPTION`
 * @example
 * ```ts
 * const agent = createAgent({ plugins: [conversations({ store: memoryStateStore() })], … });
 * await agent.run("I am Ada.", { sessionId: "s1" });
 * await agent.run("Who am I?", { sessionId: "s1" });
 * ```
 */
export function conversations(options: ConversationsOptions): ConversationsPlugin {
  options = checkOptions("conversations", options, checks, ["store"]);
  return new ConversationsPlugin(options);
}
