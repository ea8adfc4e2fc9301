import {
  type Agent,
  type AgentInput,
  answer,
  approve,
  askPerson,
  cancel,
  createAgent,
  type Decision,
  defineTool,
  type InterruptedRun,
  memoryResumeStore,
  type PendingCall,
  type PendingState,
  reject,
  respond,
  result,
} from "@suite/agent";
import type { ModelRequest, Part, Plugin } from "@suite/core";
import type { ApprovalDecision, ToolSteps } from "@suite/core/contract";
import { randomFractions } from "../../../scripts/random.mjs";
import { layers } from "./random-layers.js";
import { anyHistory, asksItself, Ledger } from "./random-ledger.js";
import { pause, read } from "./random-support.js";
import { call, scripted } from "./support.js";

/** The plan of one random agent. */
export interface Plan {
  readonly seed: number;
  readonly layers: readonly string[];
  readonly innerLayers: readonly string[];
  /** The person who answers questions at once, if there is one. */
  readonly person: "nobody" | "somebody";
  /** The number of legs, of ten, that are aborted, or left by their reader. */
  readonly breaks: number;
  /** The number of model calls, and of tool calls, of ten, that fail. */
  readonly failures: number;
}

const ids = ["", "a", "a", "a_1", "a#1", "1", "call_1", "__proto__", "x/y"];
const keys = [{ id: "k", secret: "s".repeat(32) }];

/** Lives through one plan, in as many legs as it takes: each made anew, as in another process. */
export class RandomAgents {
  readonly ledger = new Ledger();
  readonly #store = memoryResumeStore();
  readonly #random: () => number;
  #serial = 0;
  #rounds = 0;
  /** Aborts the leg after so many model calls and tools. */
  #fuse = Number.POSITIVE_INFINITY;
  #aborting = new AbortController();
  readonly #prompts = new Map<string, string>();

  constructor(readonly plan: Plan) {
    this.#random = randomFractions(plan.seed);
  }

  /** @returns how many legs it took. */
  async live(): Promise<number> {
    let input: AgentInput = "go";
    for (let legs = 1; legs < 14; legs++) {
      const next = await this.#leg(input);
      if (next === undefined) return legs;
      input = next;
    }
    return 14;
  }

  /** One run, from a question or a pending state to its end; what to go on with, if anything. */
  async #leg(input: AgentInput): Promise<AgentInput | undefined> {
    this.#aborting = new AbortController();
    const breaks = this.#chance(this.plan.breaks);
    this.#fuse = breaks && this.#chance(5) ? this.#below(9) : Number.POSITIVE_INFINITY;
    let left: InterruptedRun | undefined;
    const options = {
      signal: this.#aborting.signal,
      onInterrupted: (run: InterruptedRun) => {
        left = run;
      },
    };
    const decided = typeof input === "object" && "pending" in input ? input : undefined;
    if (decided !== undefined) await this.#notAllowed(decided.pending);
    if (decided !== undefined) this.ledger.decided(decided.pending, decided.decisions);
    this.ledger.begun.clear();
    const agent = this.#build();
    try {
      const reads = breaks || this.#chance(3) ? this.#below(breaks ? 12 : 1) : undefined;
      const done =
        reads === undefined ? await agent.run(input, options) : await read(agent, input, options, breaks, reads);
      anyHistory(done.messages, done.status === "suspended" ? done.pending : undefined);
      this.ledger.carriedOut(decided?.decisions ?? [], done);
      if (decided !== undefined) await this.#replayed(decided);
      return done.status === "completed" ? undefined : this.#resumption(done.pending);
    } catch (error) {
      if (error instanceof Error && error.name === "Violation") throw error;
      if ((error as { code?: unknown }).code === "ERR_AGENT_PENDING_USED")
        throw new Error("a pending state was lost", { cause: error });
      return this.#after(left, decided);
    }
  }

  /** The input after a run that failed, or was left: what it has left, or the state that it did not use up. */
  #after(left: InterruptedRun | undefined, decided: { pending: PendingState } | undefined): AgentInput | undefined {
    if (left === undefined) return decided as AgentInput | undefined;
    anyHistory(left.messages);
    return left.pending && this.#resumption(left.pending);
  }

  /** A state counts once, whoever comes with it again. */
  async #replayed(decided: { readonly pending: PendingState; readonly decisions: readonly Decision[] }): Promise<void> {
    const code = await this.#build(true)
      .run(decided)
      .then(
        () => "none",
        (error: { code?: unknown }) => error.code,
      );
    if (code !== "ERR_AGENT_PENDING_USED") throw this.ledger.violation(`a state was resumed twice: ${String(code)}`);
  }

  /** A decision that a call does not take is refused, and leaves the state as good as it was. */
  async #notAllowed(pending: PendingState): Promise<void> {
    const strict = pending.calls.find(({ decisions }) => decisions !== undefined);
    if (strict === undefined) return;
    const bad = this.#chance(5) ? approve(strict, { tool: "look" }) : reject(strict);
    const code = await this.#build(true)
      .run({ pending, decisions: [bad] })
      .then(
        () => "none",
        (error: { code?: unknown }) => error.code,
      );
    if (code !== "ERR_AGENT_DECISION_NOT_ALLOWED") throw this.ledger.violation(`not refused: ${String(code)}`);
  }

  #resumption(state: PendingState): AgentInput {
    const pending = JSON.parse(JSON.stringify(state)) as PendingState;
    const decisions = pending.calls.flatMap((each) => (this.#chance(7) ? [this.#decision(each)] : []));
    return { pending, decisions };
  }

  #decision(waiting: PendingCall): Decision {
    if (this.#chance(1)) return cancel(waiting);
    const { s, n } = waiting.arguments as { readonly s: number; readonly n: number };
    if (waiting.reason === "external") return result(waiting, { s });
    if (waiting.reason === "input") return answer(waiting, { s });
    if (this.#chance(1)) return respond(waiting, { s });
    if (waiting.decisions !== undefined) return approve(waiting);
    if (this.#chance(2)) return reject(waiting, "no");
    if (this.#chance(2)) return approve(waiting, { tool: this.#pick(["look", "pay", "ship", "gift"]) });
    if (this.#chance(1)) return approve(waiting, { tool: "pay", arguments: { s, n: n + 2 } });
    return this.#chance(3) ? approve(waiting, { arguments: { s, n: n + 1 } }) : approve(waiting);
  }

  #build(plain = false): Agent {
    const helpers = ["A", "B"].map((name) => this.#agent(name, this.plan.innerLayers, [], plain));
    const tools = helpers.map((each) => each.asTool({ description: "Helps." }));
    return this.#agent("outer", this.plan.layers, tools, plain);
  }

  #agent(
    name: string,
    names: readonly string[],
    tools: Parameters<typeof createAgent>[0]["tools"],
    plain: boolean,
  ): Agent {
    const inner = name !== "outer";
    const plugins = plain ? [] : names.flatMap((each) => layers[each]?.(this.#random) ?? []);
    return createAgent({
      name,
      maxRounds: 5,
      model: scripted(...Array(200).fill((request: ModelRequest) => this.#says(request, inner))),
      tools: [...this.#tools(), ...(tools ?? [])],
      plugins: [...plugins, this.#watch()],
      resume: inner ? {} : { keys, store: this.#store },
      ...(this.plan.person === "somebody" && {
        onHumanInput: (question: string, about: { name: string; arguments?: unknown }) =>
          this.#answers(question, about),
      }),
    });
  }

  /** Knows which prompt a sub-agent's run is about, and hears of faults. */
  #watch(): Plugin {
    return {
      name: "watch",
      observe() {}, // else faults are told on the console
      agent: async (c, next) => {
        const first = c.request.messages[0]?.parts[0];
        if (first?.type === "text") this.#prompts.set(c.runtime.runId, first.content);
        await next();
      },
    };
  }

  /** One round of the model: it has seen a whole history. */
  #says(request: ModelRequest, inner: boolean): string | readonly Part[] {
    this.#step();
    anyHistory(request.messages);
    if (this.#chance(this.plan.failures)) throw new Error("503");
    if (++this.#rounds > 40 || this.#chance(3)) return "done";
    const names = [
      "look",
      "look",
      "pay",
      "pay",
      "ship",
      "ask_person",
      "slow",
      "quiz",
      "quiz",
      "gift",
      "give",
      "none",
      ...(inner ? [] : ["A", "B", "A", "B"]),
    ];
    return Array.from({ length: 1 + this.#below(4) }, () => {
      const s = ++this.#serial;
      const name = this.#pick(names);
      const args = name === "A" || name === "B" ? { prompt: `p${s}` } : { s, n: s, question: "?" };
      return call(this.#pick(ids), name, args);
    });
  }

  #tools() {
    const body =
      (name: string, gated: boolean) => async (input: unknown, runtime: { runId: string; signal: AbortSignal }) => {
        const { s } = input as { readonly s: number };
        const prompt = this.#prompts.get(runtime.runId) ?? "go";
        this.ledger.begins(s, name, input, gated, prompt, runtime.runId);
        this.#step();
        if (name === "slow") await pause(runtime.signal);
        if (this.#chance(this.plan.failures)) {
          this.ledger.fails(s);
          throw new Error(`${name} is down`);
        }
        this.ledger.ends(s, name, input, gated);
        return { s };
      };
    /** Does something once, asks, and may fail then. */
    const asks = (name: string, gated: boolean) => {
      const effect = body(name, gated);
      return async (input: unknown, runtime: Parameters<typeof effect>[1], _call: unknown, steps: ToolSteps) => {
        const { s } = input as { readonly s: number };
        this.ledger.begun.add(s);
        const done = await steps.once("effect", () => effect(input, runtime));
        this.ledger.hears(s, await steps.ask(`Tool ${s}?`));
        if (this.#chance(this.plan.failures)) throw new Error(`${name} is down`);
        return done;
      };
    };
    const decisions: readonly ApprovalDecision[] = ["approve", "respond"];
    return [
      defineTool({ name: "look", execute: body("look", false) }),
      defineTool({ name: "slow", execute: body("slow", false) }),
      defineTool({ name: "pay", needsApproval: true, execute: body("pay", true) }),
      defineTool({ name: "give", needsApproval: { decisions }, execute: body("give", true) }),
      defineTool({ name: "quiz", execute: asks("quiz", false) }),
      defineTool({ name: "gift", needsApproval: true, execute: asks("gift", true) }),
      defineTool({ name: "ship" }),
      askPerson(),
    ];
  }

  #answers(
    question: string,
    { name, arguments: args }: { readonly name: string; readonly arguments?: unknown },
  ): unknown {
    const { s, n } = args as { readonly s: number; readonly n: number };
    if (this.#chance(4)) return undefined;
    if (question === "?" || asksItself(question)) return { s };
    this.ledger.begun.add(s); // or is refused now
    if (this.#chance(1)) return { respond: { s } };
    if (this.#chance(2)) return false; // which "give" does not take: it waits
    if (name !== "give" && this.#chance(2)) {
      const tool = this.#pick(["look", "pay", "ship", "gift"]);
      this.ledger.grants(tool, args);
      return { approve: true, tool };
    }
    const edited = { s, n: n + 7 };
    const agreed = name !== "give" && this.#chance(3) ? edited : args;
    this.ledger.grants(name, agreed);
    return agreed === args ? true : { approve: true, arguments: edited };
  }

  #step(): void {
    if (this.#fuse-- <= 0) this.#aborting.abort(new Error("user left"));
  }
  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }
  #chance(ofTen: number): boolean {
    return this.#random() * 10 < ofTen;
  }
}
