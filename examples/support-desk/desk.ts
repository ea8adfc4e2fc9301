import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Agent, type AgentInput, type PendingCall, type PendingState, result } from "@suite/agent";
import type { Ticket } from "./input.js";

/** A desk: its agent, the folder of its suspended runs, and the function that shows text. */
export interface Desk {
  readonly agent: Agent;
  readonly pendingDir: string;
  readonly write: (text: string) => void;
}

/** Answers one ticket, as it streams; what waits for the payment system is stored, handed over, and resumed. */
export async function answerTicket(desk: Desk, ticket: Ticket): Promise<void> {
  let input: AgentInput = ticket.text;
  for (;;) {
    const stream = desk.agent.stream(input, { sessionId: ticket.id });
    for await (const delta of stream) {
      if (delta.type === "part" && delta.part.type === "text") desk.write(delta.part.content);
      if (delta.type === "event" && delta.name === "tool_result") {
        desk.write(`[${(delta.value as { name: string }).name}] `);
      }
    }
    const done = await stream.result;
    if (done.status === "completed") return desk.write("\n");
    const pending = await stored(desk.pendingDir, ticket.id, done.pending);
    const decisions = await Promise.all(pending.calls.map(async (call) => result(call, await pay(call))));
    desk.write(`[${pending.calls.map(({ name }) => name).join(", ")}: in the payment system] `);
    input = { pending, decisions };
  }
}

/** Through a file: days may pass, and another process may go on. */
async function stored(dir: string, id: string, state: PendingState): Promise<PendingState> {
  const file = join(dir, `${id.replaceAll(/[^\w-]/g, "_")}.json`);
  await mkdir(dir, { recursive: true });
  await writeFile(file, JSON.stringify(state), { mode: 0o600 });
  return JSON.parse(await readFile(file, "utf8"));
}

/** Hands a call to the payment system, which is another process. */
async function pay(call: PendingCall): Promise<unknown> {
  const payments = spawn(process.execPath, [new URL("payments.js", import.meta.url).pathname], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  payments.stdin.end(JSON.stringify(call));
  return JSON.parse(await text(payments.stdout));
}
