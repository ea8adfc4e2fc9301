import {
  type Agent,
  type CompressContext,
  createAgent,
  type Decision,
  defineTool,
  type PendingCall,
  type PendingState,
} from "@suite/agent";
import type { Plugin } from "@suite/core";
import { commonTools, possibleDecisions, runTurn } from "./random-agent-parts.js";
import { modelOf, type Plan } from "./random-agent-plan.js";
import { others } from "./random-plugins.js";

/** Lives through one plan. */
export class RandomAgents {
  readonly #agent: Agent;
  readonly #hanging: (() => void)[] = [];
  /** Runs that have not ended. */
  #open = 0;
  #aborting = new AbortController();

  /** @param traced tracing and what stands directly around it, for the run as a whole. */
  constructor(
    readonly plan: Plan,
    traced: readonly Plugin[],
  ) {
    const hang = () => this.#hang();
    const names = plan.plugins.includes("tracing") ? plan.plugins : ["tracing", ...plan.plugins];
    const plugins = names.flatMap((name) => (name === "tracing" ? traced : (others[name]?.() ?? [])));
    plugins.push({ name: "runs", begin: () => void this.#open++, end: () => void this.#open-- });
    const tools = [
      ...commonTools(),
      defineTool({ name: "marked", execute: () => ({ isError: true }) }),
      defineTool({ name: "hang", execute: hang }),
      defineTool({ name: "refund", needsApproval: true, execute: () => "paid" }),
    ];
    const compressContext: CompressContext | undefined = plan.compresses ? (messages) => messages : undefined;
    const helper = createAgent({ name: "helper", model: modelOf(plan.helperRounds, hang), tools, plugins });
    const own = [...tools, helper.asTool({ description: "Helps." })];
    const model = modelOf(plan.rounds, hang);
    const onHumanInput = () => (plan.person === "nobody" ? undefined : plan.person === "one who agrees");
    const asks = { onHumanInput, ...(compressContext && { compressContext }) };
    this.#agent = createAgent({ name: "root", model, tools: own, plugins, ...asks });
  }

  /** All runs have ended when it resolves, those of agents inside too, however the turns ended. */
  async play(): Promise<void> {
    await this.#play();
    if (this.#open > 0) throw new Error(`${this.#open} runs go on, though nobody waits for them`);
  }

  async #play(): Promise<void> {
    let waiting: PendingState | undefined;
    for (const turn of this.plan.turns) {
      this.#aborting = new AbortController();
      const input =
        waiting === undefined ? "go" : { pending: waiting, decisions: decide(waiting.calls, turn.decisions) };
      const ended = await runTurn(this.#agent, input, turn, this.#aborting).catch(() => undefined);
      if (waiting !== undefined) await this.#runAgain(input);
      if (ended?.status !== "suspended") return;
      waiting = JSON.parse(JSON.stringify(ended.pending)) as PendingState;
    }
  }

  /** A decision that was used is refused, and makes no span; what an abort came before was not used, and runs now: it may hang, too. */
  async #runAgain(input: Parameters<Agent["run"]>[0]): Promise<void> {
    this.#aborting = new AbortController();
    await this.#agent.run(input, { signal: this.#aborting.signal }).catch(() => {});
  }

  async release(): Promise<void> {
    for (const go of this.#hanging) go();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Hangs whatever is aborted; the abort comes, since somebody runs out of patience. */
  #hang(): Promise<never> {
    setTimeout(() => this.#aborting.abort(), 1);
    return new Promise((_, refuse) => this.#hanging.push(() => refuse(new Error("late"))));
  }
}

/** A decision on each call, of those that are possible; on some calls none, so that the run waits on. */
function decide(calls: readonly PendingCall[], chosen: readonly number[]): readonly Decision[] {
  return calls.flatMap((call, index) => {
    return possibleDecisions(call)[chosen[index % chosen.length] ?? 3] ?? [];
  });
}
