import { Command } from "@langchain/langgraph";
import type { Question } from "@suite/approval";
import type { Asked, Desk, World } from "./world.js";

interface Interrupt {
  readonly id: string;
  readonly value: { readonly actionRequests: readonly [{ readonly id: string }] };
}
interface Program {
  readonly agent: { invoke(input: unknown, config: unknown): Promise<unknown> };
  goOn(threadId: string, interrupt: Interrupt, answer: unknown): Promise<unknown>;
}

interface WithResume extends Asked {
  /** Resumes by a command alone, which approves. */
  resume(): Promise<unknown>;
}

/** LangGraph's interrupts, and its command that resumes. */
export async function graph(world: World): Promise<WithResume> {
  const { agent, goOn } = await world.load<Program>("graph");
  const { desk } = await world.load<Desk>("desk");
  const messages = [{ role: "user", content: "Refund it." }];
  const first = await agent.invoke({ messages }, { configurable: { thread_id: "t" } });
  const [interrupt] = (first as { readonly __interrupt__: readonly Interrupt[] }).__interrupt__;
  if (interrupt === undefined) throw new Error("There is no interrupt.");
  return {
    question: (await desk.get(interrupt.value.actionRequests[0].id)) as Question,
    resume: () => {
      const resume = { [interrupt.id]: { decisions: [{ type: "approve" }] } };
      return agent.invoke(new Command({ resume }), { configurable: { thread_id: "t" } });
    },
    answer: (answer) =>
      goOn("t", interrupt, answer).then(
        () => "accepted",
        ({ code }: { readonly code: string }) => code,
      ),
  };
}
