import {
  type Agent,
  type AgentResult,
  type AgentTool,
  createAgent,
  type Decision,
  defineTool,
  type Model,
  type PendingCall,
  type PendingState,
} from "@suite/agent";
import type { Delta, Notification, Plugin, StateStore } from "@suite/core";
import { unansweredCalls } from "@suite/core/messages";
import { memoryStateStore } from "@suite/kit/store";
import { commonTools, possibleDecisions, runTurn } from "./random-agent-parts.js";
import { modelOf, type Plan } from "./random-agent-plan.js";
import { type Book, type Guard, guardsOf } from "./random-guards.js";

const kinds = ["agent", "reasoning", "model", "tool", "humanInput"] as const;

/** A plugin that gives every answer a stage, in its place of the list. */
const staging = (book: Book, at: string): Plugin =>
  Object.assign(
    { name: `stages ${at}` },
    ...kinds.map((kind) => ({
      [kind]: async (invocation: { pipe(stage: object): void }, callNext: () => Promise<void>): Promise<void> => {
        await callNext();
        invocation.pipe(book.stage(`${kind} ${at}`));
      },
    })),
  );

/** The surroundings of the agents, where they are others than those of the limits. */
export interface World {
  /** The plugins that there are, by name. */
  readonly guards: Readonly<Record<string, Guard>>;
  /** The names of plugins that the agent within the agent has as well. */
  readonly inHelper: readonly string[];
  readonly tools: readonly AgentTool[];
  readonly systemPrompt?: string;
  /** The words of the user. */
  readonly input: string;
  /** The words of people who are asked, and of tools that run elsewhere. */
  readonly said: string;
  /** The model in whose place a plan's model stands. */
  model(planned: Model): Model;
  /** Is shown all that a reader sees. */
  read(delta: Delta): void;
  ended(result: AgentResult): void;
}

const limitsAlone: World = {
  guards: guardsOf(1),
  inHelper: ["retryModel"],
  tools: [],
  input: "go",
  said: "no",
  model: (planned) => planned,
  read() {},
  ended() {},
};

/** Lives through one plan with these plugins, in this order, and keeps book of what happens. */
export class GuardedAgents {
  readonly #agent: Agent;
  readonly #hanging: (() => void)[] = [];
  #open = 0;
  #aborting = new AbortController();

  constructor(
    readonly plan: Plan,
    names: readonly string[],
    readonly book: Book,
    readonly world: World = limitsAlone,
  ) {
    const store: StateStore = memoryStateStore();
    const chosen = names.map((name) => world.guards[name]?.(book, store) ?? []);
    const observe = (told: Notification): void => {
      if (told.type === "fault") book.problems.push(`${told.where}: ${String(told.error)}`);
      if ("plugin" in told && told.plugin !== undefined) book.acted.add(told.plugin);
    };
    const watching: Plugin = {
      name: "watching",
      observe,
      begin: () => void this.#open++,
      end: () => void this.#open--,
      inSubAgents: true,
    };
    const half = Math.floor(chosen.length / 2);
    const plugins = [
      watching,
      staging(book, "outside"),
      ...chosen.slice(0, half).flat(),
      staging(book, "between"),
      ...chosen.slice(half).flat(),
      staging(book, "inside"),
    ];
    const hang = () => this.#hang();
    let attempts = 0;
    const tools = [
      ...commonTools(),
      ...world.tools,
      defineTool({ name: "hang", timeout: 20, execute: hang }),
      defineTool({
        name: "refund",
        needsApproval: true,
        // It fails at first, so that it is tried again, and pays at most once for each approval.
        execute: () => {
          if (attempts++ % 3 === 0) throw new Error("503");
          book.add("refunds", 1);
          if (book.total("refunds") > book.total("approvals")) book.problems.push("a refund that nobody approved");
          return "paid";
        },
      }),
      defineTool({
        name: "pay",
        execute: () => {
          if (attempts++ % 3 === 0) throw new Error("503");
          book.add("payments", 1);
          if (book.isGuarded && book.total("payments") > book.total("grants"))
            book.problems.push("an unapproved payment");
          return "paid";
        },
      }),
    ];
    const onHumanInput = (_: string, about: { readonly name: string }): boolean | undefined => {
      if (plan.person === "nobody") return undefined;
      const agrees = plan.person === "one who agrees";
      if (agrees && about.name === "refund") book.add("approvals", 1);
      return agrees;
    };
    const helper = createAgent({
      name: "helper",
      model: world.model(modelOf(plan.helperRounds, hang)),
      tools,
      plugins: names.flatMap((name, at) => (world.inHelper.includes(name) ? (chosen[at] ?? []) : [])),
      onHumanInput,
    });
    const own = [...tools, helper.asTool({ description: "Helps." })];
    const { systemPrompt } = world;
    const model = world.model(modelOf(plan.rounds, hang));
    const asks = { onHumanInput, ...(systemPrompt !== undefined && { systemPrompt }) };
    this.#agent = createAgent({ name: "root", model, tools: own, plugins, ...asks });
  }

  /** All turns have ended when it resolves, whatever goes on that a layer has given up. */
  async play(): Promise<void> {
    let waiting: PendingState | undefined;
    for (const turn of this.plan.turns) {
      this.#aborting = new AbortController();
      const input =
        waiting === undefined ? this.world.input : { pending: waiting, decisions: this.#decide(waiting.calls, turn) };
      const ended = await runTurn(this.#agent, input, turn, this.#aborting, "s", this.world.read).catch(
        () => undefined,
      );
      if (ended !== undefined) this.world.ended(ended);
      if (waiting !== undefined) await this.#runAgain(input);
      if (ended !== undefined && ended.status !== "suspended" && unansweredCalls(ended.messages).length > 0) {
        this.book.problems.push("a call without an answer");
      }
      waiting = ended?.status === "suspended" ? (JSON.parse(JSON.stringify(ended.pending)) as PendingState) : undefined;
    }
  }

  /** The runs that have not ended. */
  get open(): number {
    return this.#open;
  }

  /** Lets go what hangs, and has all that is kept behind runs kept. */
  async release(): Promise<void> {
    for (const go of this.#hanging) go();
    await this.#agent.close();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Runs the decisions once more: those that were used are refused. */
  async #runAgain(input: Parameters<Agent["run"]>[0]): Promise<void> {
    this.#aborting = new AbortController();
    await this.#agent.run(input, { sessionId: "s", signal: this.#aborting.signal }).catch(() => {});
  }

  /** Hangs whatever is aborted, or takes too long for somebody. */
  #hang(): Promise<never> {
    const aborting = this.#aborting;
    const timer = setTimeout(() => aborting.abort(), 60);
    return new Promise((_, refuse) =>
      this.#hanging.push(() => {
        clearTimeout(timer);
        refuse(new Error("late"));
      }),
    );
  }

  /** A decision on each call, of those that are possible; on some calls none, so that the run waits on. */
  #decide(calls: readonly PendingCall[], { decisions }: Plan["turns"][number]): readonly Decision[] {
    return calls.flatMap((call, index) => {
      const which = decisions[index % decisions.length] ?? 3;
      if (call.reason === "approval" && which < 2) this.book.add("approvals", 1);
      return possibleDecisions(call, this.world.said)[which] ?? [];
    });
  }
}
