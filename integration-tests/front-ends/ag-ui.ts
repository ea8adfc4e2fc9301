import { HttpAgent, type ResumeEntry } from "@ag-ui/client";
import type { Question } from "@suite/approval";
import type { Asked, World } from "./world.js";

interface Program {
  handle(request: Request): Promise<Response>;
}

interface WithCancel extends Asked {
  /** Cancels the interrupt. Returns the ids of the interrupts that are open then. */
  cancel(): Promise<readonly string[]>;
}

/** AG-UI's own client, over HTTP. */
export async function agUi(world: World): Promise<WithCancel> {
  const { handle } = await world.load<Program>("agui");
  const agent = new HttpAgent({ url: await world.serve(handle), threadId: "t" });
  agent.messages = [{ id: "m", role: "user", content: "Refund it." }];
  await agent.runAgent();
  const [interrupt] = agent.pendingInterrupts;
  if (interrupt === undefined) throw new Error("There is no interrupt.");
  return {
    question: interrupt.metadata?.question as Question,
    async cancel() {
      await agent.runAgent({ resume: [{ interruptId: interrupt.id, status: "cancelled" }] });
      return agent.pendingInterrupts.map(({ id }) => id);
    },
    async answer(payload) {
      const { id: interruptId = interrupt.id } = payload as { readonly id?: string };
      const resume: ResumeEntry[] = [{ interruptId, status: "resolved", payload }];
      // The library refuses what does not match its interrupts. A hostile client does not.
      const hostile = new HttpAgent({ url: agent.url, threadId: agent.threadId, initialMessages: agent.messages });
      let refused: string | undefined;
      await hostile.runAgent(
        { resume },
        {
          onRunErrorEvent({ event }) {
            refused = event.code;
          },
        },
      );
      return refused ?? "accepted";
    },
  };
}
