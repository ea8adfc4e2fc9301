import { PluginStack, type Run } from "@suite/core/adapter";
import type { CallMemory, MemoryOptions } from "@suite/core/contract";
import type { Attempt, Decision, ModelServer, Observed, Subject } from "@suite/testkit";
import OpenAI from "openai";
import type { Bug } from "./bugs.js";
import { embed, search } from "./documents.js";
import { type LoopState, textOf, userMessage } from "./loop.js";

/** An agent on core's stack alone: the smallest subject that offers everything, with bugs on request. */
export function stackSubject(server: ModelServer, ...bugs: readonly Bug[]): Subject {
  return {
    offers: new Set([
      "model",
      "stream",
      "tools",
      "tool-failures",
      "tool-context",
      "error-identity",
      "provider-errors",
      "abort",
      "abandon-tools",
      "agent-streams",
      "agent-reads",
      "system-prompt",
      "structured-output",
      "usage",
      "approval",
      "approval-edit",
      "external-tools",
      "sub-agents",
      "embeddings",
      "retrieval",
      "memory",
    ]),
    hooks: new Set([
      "agent",
      "reasoning",
      "model",
      "tool",
      "embedding",
      "retrieval",
      "memory",
      "systemPrompt",
      "observe",
    ]),
    embed: (attempt) => embed(server, attempt, new Set(bugs)),
    search: (attempt) => search(attempt, new Set(bugs)),
    run(attempt) {
      server.reset();
      server.script(...attempt.answers);
      const state: LoopState = { messages: [userMessage(attempt.input)], results: {}, decisions: {} };
      return leg(server, attempt, new Set(bugs), state);
    },
  };
}

async function leg(
  server: ModelServer,
  attempt: Attempt,
  bugs: ReadonlySet<Bug>,
  state: LoopState,
  runId?: string,
): Promise<Observed> {
  const from = server.requests.length;
  const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0, logLevel: "off" });
  const stack = new PluginStack(bugs.has("plugins in reverse") ? [...attempt.plugins].reverse() : attempt.plugins);
  const run = stack.begin({
    ...(attempt.signal && { signal: attempt.signal }),
    ...(runId !== undefined && !bugs.has("a new run on resume") && { runId }),
  });
  forget(run, bugs);
  const pieces: string[] = [];
  const onPiece = (piece: string): boolean => {
    pieces.push(piece);
    return attempt.onPiece?.(piece) ?? true;
  };
  let text: string | undefined;
  let error: unknown;
  let pending: Observed["pending"];
  try {
    const done = await textOf({ stack, client, attempt: { ...attempt, onPiece }, bugs }, run, attempt.tools, state);
    if (done.settlement.status === "completed") text = done.text;
    if (done.settlement.status === "suspended") {
      pending = done.settlement.pending.map(({ part, reason }) => ({
        id: part.id,
        name: part.name,
        arguments: part.arguments,
        reason: reason === "external" ? "external" : "approval",
      }));
    }
  } catch (thrown) {
    error = thrown;
  } finally {
    if (!bugs.has("answers that are not read on stay open")) await run.end();
  }
  if (pending !== undefined && bugs.has("suspension as an error")) error = new Error("suspended");
  const saved = JSON.stringify(state);
  return {
    pieces: attempt.stream ? pieces : [],
    ...(text !== undefined && { text }),
    ...(text !== undefined && attempt.outputSchema && { output: JSON.parse(text) }),
    failedCalls: Object.entries(state.results).flatMap(([id, { isError }]) => (isError === true ? [id] : [])),
    ...(error !== undefined && { error }),
    ...(pending && { pending }),
    prompts: server.requests.slice(from).map((request) => JSON.stringify(request.body)),
    ...(pending && {
      resume: (decisions: readonly Decision[]) => {
        const loaded: LoopState = JSON.parse(saved);
        const again = bugs.has("local tools run again on resume");
        for (const decision of decisions) loaded.decisions[decision.id] = decision;
        return leg(server, attempt, bugs, again ? { ...loaded, results: {} } : loaded, run.runId);
      },
    }),
  };
}

/** Takes the layers off what plugins do with a memory, or the call that they do it in. */
function forget(run: Run, bugs: ReadonlySet<Bug>): void {
  const { memory } = run;
  const alone: CallMemory = (request, carryOut) => memory(request, carryOut, {} as MemoryOptions);
  const past: CallMemory = async (request, carryOut, { parent }) => carryOut(request, parent);
  const value = bugs.has("what is remembered goes past the plugins") ? past : alone;
  if (value === past || bugs.has("what is remembered is in no call")) Object.defineProperty(run, "memory", { value });
}
