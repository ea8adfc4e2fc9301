import {
  type CallId,
  type CallNext,
  type HookName,
  type Invocation,
  MiddlewareTermination,
  type Plugin,
  type RunSettlement,
  type RuntimeContext,
  type StateKey,
  stateKey,
  type Tool,
  textOf,
} from "@suite/core";
import type { MemoryRecord } from "@suite/core/contract";
import { isObject } from "@suite/kit";
import { questionIn } from "./exchange.js";
import { type ForgetOptions, type Forgotten, forget } from "./forget.js";
import { Operations } from "./operations.js";
import { type MemoryPluginOptions, type Settled, settledOf } from "./plugin-options.js";
import { announcementOf, sectionOf } from "./prompt.js";
import { type MemoryScope, now } from "./store.js";
import { memoryTools } from "./tools.js";
import { noUser, userOf } from "./user.js";
import { Writing } from "./writing.js";

/**
 * The start of a run. A suspension saves it, because a resumed run does not have the question, and because users
 * forgotten meanwhile must stay forgotten.
 */
interface Begun {
  /** The time of the question. */
  readonly since: number;
  readonly question: string;
}

/** The memory of one run: its owner, and the exchange to store. */
interface OfRun extends Begun {
  readonly scope: MemoryScope;
  readonly call: CallId;
  readonly recalled: readonly MemoryRecord[];
  /** The answer, once it exists. */
  readonly answer?: string;
}

/** The plugin that `memory` creates, with methods for use outside of runs. */
export class MemoryPlugin implements Plugin {
  readonly name: string;
  readonly single = true;
  readonly whereOffered: readonly HookName[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly #options: Settled;
  readonly #operations: Operations;
  readonly #writing: Writing;
  readonly #tools: readonly Tool[];
  readonly #announcement: string | undefined;
  readonly #ofRun: StateKey<OfRun | undefined>;
  readonly #begun: StateKey<Begun | undefined>;

  /** @internal Use `memory`. */
  constructor(options: Settled) {
    const { name, mode, whenNoUser, perAgent, limit, onError, timeout, store, prompt } = options;
    this.name = name;
    this.whereOffered = mode === "automatic" ? ["tools"] : [];
    this.settings = { store: store.id, mode, whenNoUser, perAgent, limit, onError, timeout };
    this.#options = options;
    this.#operations = new Operations(store, timeout);
    this.#writing = new Writing(options, this.#operations);
    this.#announcement = announcementOf(prompt, mode !== "automatic");
    this.#ofRun = stateKey<OfRun | undefined>(name, () => undefined);
    this.#begun = stateKey<Begun | undefined>(`${name}.begun`, () => undefined, {
      save: (begun) => begun ?? null,
      load: begunIn,
    });
    this.#tools = memoryTools({
      options,
      operations: this.#operations,
      ofRun: (runtime) => runtime.get(this.#ofRun) ?? this.#ofParents(runtime),
      failed: (runtime, call, error) => this.#failed(runtime, call, error),
      notify: (runtime, call, decision, details) => this.#notify(runtime, call, decision, details),
    });
  }

  /** Searches before the reply, also when a suspended run resumes, and records the answer. */
  async agent(invocation: Invocation<"agent">, callNext: CallNext): Promise<void> {
    const { runtime, request, call } = invocation;
    const user = this.#ofParents(runtime) ? undefined : this.#userOf(runtime, call);
    if (user === undefined) return callNext();
    const agent = this.#options.perAgent ? runtime.agent?.name : undefined;
    const scope = { user, ...(agent !== undefined && { agent }) };
    const begun = runtime.get(this.#begun);
    const { since, question } = {
      since: begun?.since ?? now(),
      question: questionIn(request) || (begun?.question ?? ""),
    };
    runtime.set(this.#begun, { since, question });
    const recalled = await this.#recall(runtime, scope, question, call);
    const ofRun: OfRun = { scope, since, call, question, recalled };
    runtime.set(this.#ofRun, ofRun);
    await callNext();
    invocation.pipe({
      settle: (settlement) => {
        if (settlement.status !== "completed") return;
        runtime.set(this.#ofRun, { ...ofRun, answer: textOf(settlement.final.message).trim() });
      },
    });
  }

  /** Adds the memory section to the request, not to the history. */
  systemPrompt(prompt: string, runtime: RuntimeContext): string {
    const ofRun = runtime.get(this.#ofRun);
    if (ofRun === undefined) return prompt;
    const section = sectionOf(this.#announcement, ofRun.recalled, this.#options.maxCharacters);
    return [prompt, section].filter((each) => each !== undefined && each !== "").join("\n\n");
  }

  tools(): readonly Tool[] {
    return this.#options.mode === "automatic" ? [] : this.#tools;
  }

  /** Stores the exchange of a completed reply. */
  end(runtime: RuntimeContext, settlement: RunSettlement): void {
    if (this.#options.mode === "tools" || settlement.status !== "completed") return;
    const ofRun = runtime.get(this.#ofRun);
    if (ofRun?.answer === undefined || ofRun.answer === "" || ofRun.question === "") return;
    const { scope, call: parent, since, question, answer } = ofRun;
    this.#writing.begin(runtime, { scope, parent, since }, { question, answer });
  }

  /** Waits for pending writes. */
  close(): Promise<void> {
    return this.settled();
  }

  /** Resolves when all exchanges of ended runs are stored or have failed: for tests, and before a process ends. */
  settled(): Promise<void> {
    return this.#writing.settled();
  }

  /**
   * Removes all records of a user, in a separate run with the given plugins. With `audit()` there is a verifiable
   * record of it. Waits for pending writes; a reply that is still running is not stored.
   *
   * @throws {MemoryError} `ERR_MEMORY_USER` without a user, `ERR_MEMORY_TIMEOUT`, and the errors of the store
   */
  async forget(user: string, options: ForgetOptions = {}): Promise<Forgotten> {
    await this.#writing.settled(user);
    return forget(user, options, { name: this.name, operations: this.#operations });
  }

  /** Removes all records of a user, like `forget`. Returns their number, if the store reports it. */
  async forgetUser(user: string): Promise<number | undefined> {
    return (await this.forget(user)).count;
  }

  /** Returns the memory state of an outer run of which this run is a tool. A sub-agent's question is not the user's. */
  #ofParents({ parent }: RuntimeContext): OfRun | undefined {
    for (let at = parent; at !== undefined; at = at.parent) {
      const ofRun = at.get(this.#ofRun);
      if (ofRun !== undefined) return ofRun;
    }
    return undefined;
  }

  #userOf(runtime: RuntimeContext, call: CallId): string | undefined {
    const { userId, whenNoUser } = this.#options;
    const user = userOf(runtime, userId);
    if (user !== undefined) return user;
    this.#notify(runtime, call, "no_user");
    if (whenNoUser === "error") throw MiddlewareTermination.mark(noUser(), "run");
    return undefined;
  }

  async #recall(
    runtime: RuntimeContext,
    scope: MemoryScope,
    question: string,
    call: CallId,
  ): Promise<readonly MemoryRecord[]> {
    const { mode, limit } = this.#options;
    if (mode === "tools" || question === "") return [];
    try {
      const found = await this.#operations.search(runtime, scope, question, limit, call);
      this.#notify(runtime, call, "recalled", { records: found.length });
      return found;
    } catch (error) {
      this.#failed(runtime, call, error);
      return [];
    }
  }

  /** @throws the error if the run must end, or the reply must not continue without memory */
  #failed(runtime: RuntimeContext, call: CallId, error: unknown): void {
    runtime.signal.throwIfAborted();
    if (MiddlewareTermination.is(error) && error.scope === "run") throw error;
    const { onError } = this.#options;
    this.#notify(runtime, call, onError === "open" ? "fail_open" : "fail_closed");
    if (onError === "closed") throw error;
  }

  #notify(runtime: RuntimeContext, call: CallId, decision: string, details?: Readonly<Record<string, number>>): void {
    const more = details === undefined ? {} : { details };
    runtime.notify({ type: "decision", plugin: this.name, decision, enforced: true, call, ...more });
  }
}

function begunIn(stored: unknown): Begun | undefined {
  if (!isObject(stored) || typeof stored.since !== "number" || typeof stored.question !== "string") return undefined;
  return { since: stored.since, question: stored.question };
}

/**
 * Gives an agent a long-term memory of each user. Before a reply, matching records are added to the system prompt.
 * After it, the exchange is stored in a background run, so that no caller waits.
 *
 * @throws {MemoryError} `ERR_MEMORY_OPTION`
 * @example
 * ```ts
 * const remembering = memory({ store: inProcessMemory() });
 * const agent = createAgent({ plugins: [remembering], … });
 * await agent.run("I am allergic to nuts.", { userId: "ada" });
 * await remembering.forget("ada", { plugins: [audit()] });
 * ```
 */
export const memory = (options: MemoryPluginOptions): MemoryPlugin => new MemoryPlugin(settledOf(options));
