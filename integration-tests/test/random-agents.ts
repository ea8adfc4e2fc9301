import {
  type Agent,
  type AgentResult,
  answer,
  approve,
  askPerson,
  type CompressContext,
  cancel,
  createAgent,
  type Decision,
  defineTool,
  type PendingCall,
  type PendingState,
  reject,
  result,
} from "@suite/agent";
import type { Plugin } from "@suite/core";
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
      defineTool({ name: "add", execute: () => 3 }),
      defineTool({ name: "fail", execute: () => Promise.reject(new Error("no")) }),
      defineTool({ name: "marked", execute: () => ({ isError: true }) }),
      defineTool({ name: "hang", execute: hang }),
      defineTool({
        name: "count",
        async *execute() {
          yield 1;
          yield 2;
        },
      }),
      defineTool({ name: "refund", needsApproval: true, execute: () => "paid" }),
      defineTool({ name: "ship" }),
      defineTool({ name: "ask", input: { type: "object" }, execute: () => 1 }),
      askPerson(),
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
      const ended = await this.#run(input, turn).catch(() => undefined);
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

  async #run(
    input: Parameters<Agent["run"]>[0],
    { stream, stops, aborts }: Plan["turns"][number],
  ): Promise<AgentResult> {
    const { signal } = this.#aborting;
    if (!stream) {
      if (aborts < 8) setTimeout(() => this.#aborting.abort(), aborts);
      return this.#agent.run(input, { signal });
    }
    const streamed = this.#agent.stream(input, { signal });
    let count = 0;
    for await (const _ of streamed) {
      if (count === stops) break;
      if (count++ === aborts) this.#aborting.abort(new DOMException("took too long", "TimeoutError"));
    }
    return streamed.result;
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
    const possible: Record<PendingCall["reason"], readonly Decision[]> = {
      approval: [approve(call), approve(call, { arguments: { other: 1 } }), reject(call, "no")],
      external: [result(call, { done: 1 }), result(call, "no", { isError: true }), cancel(call)],
      input: [answer(call, "yes"), answer(call, "no"), cancel(call)],
    };
    return possible[call.reason][chosen[index % chosen.length] ?? 3] ?? [];
  });
}
