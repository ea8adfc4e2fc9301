import { type AgentTool, approve, createAgent, defineTool, type PendingState, reject, result } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import type { Attempt, ContractTool, Decision, ModelServer, Observed, Subject } from "@suite/testkit";

/** @suite/agent as the contract tests see it, with a model that answers from a server. */
export function agentSubject(server: () => ModelServer): Subject {
  return {
    offers: new Set([
      "model",
      "stream",
      "tools",
      "error-identity",
      "abort",
      "system-prompt",
      "structured-output",
      "usage",
      "approval",
      "approval-edit",
      "external-tools",
      "sub-agents",
    ]),
    hooks: new Set([
      "agent",
      "reasoning",
      "model",
      "tool",
      "humanInput",
      "compressContext",
      "systemPrompt",
      "tools",
      "observe",
    ]),
    run(attempt) {
      server().reset();
      server().script(...attempt.answers);
      return leg(server(), attempt);
    },
  };
}

function agentOf(
  server: ModelServer,
  attempt: Attempt,
  name: string,
  tools: readonly ContractTool[],
  systemPrompt?: string,
) {
  const outer = name === "contract";
  return createAgent({
    name,
    model: openai("m", { baseURL: `${server.url}/v1`, apiKey: "none" }),
    plugins: attempt.plugins,
    tools: tools.map((tool) => toolOf(server, attempt, tool)),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(outer && attempt.outputSchema && { outputSchema: attempt.outputSchema }),
  });
}

function toolOf(server: ModelServer, attempt: Attempt, tool: ContractTool): AgentTool {
  const { name, description, parameters, execute, needsApproval, agent } = tool;
  if (agent) return agentOf(server, attempt, agent.name, agent.tools).asTool({ name, description });
  return defineTool({
    name,
    description,
    parameters,
    ...(execute && { execute: (input: unknown) => execute(input) }),
    ...(needsApproval !== undefined && { needsApproval }),
  });
}

async function leg(
  server: ModelServer,
  attempt: Attempt,
  state?: string,
  decisions: readonly Decision[] = [],
): Promise<Observed> {
  const from = server.requests.length;
  const agent = agentOf(server, attempt, "contract", attempt.tools, attempt.systemPrompt);
  const pending: PendingState | undefined = state === undefined ? undefined : JSON.parse(state);
  const input =
    pending === undefined ? attempt.input : { pending, decisions: decisions.map((d) => toAgent(pending, d)) };
  const options = attempt.signal === undefined ? {} : { signal: attempt.signal };
  const pieces: string[] = [];
  const seen = () => ({ pieces, prompts: server.requests.slice(from).map((request) => JSON.stringify(request.body)) });
  try {
    const done = attempt.stream
      ? await streamed(agent.stream(input as never, options), pieces, attempt)
      : await agent.run(input as never, options);
    if (done === undefined) return seen();
    if (done.status === "suspended") {
      const saved = JSON.stringify(done.pending);
      return {
        ...seen(),
        pending: done.pending.calls.map(({ id, name, arguments: args, reason }) => ({
          id,
          name,
          arguments: args,
          reason: reason as "approval",
        })),
        resume: (more) => leg(server, attempt, saved, more),
      };
    }
    return { ...seen(), text: done.text, output: done.output };
  } catch (error) {
    return { ...seen(), error };
  }
}

async function streamed(
  stream: ReturnType<ReturnType<typeof createAgent>["stream"]>,
  pieces: string[],
  attempt: Attempt,
) {
  for await (const piece of stream.text()) {
    pieces.push(piece);
    if (attempt.onPiece?.(piece) === false) return undefined;
  }
  return stream.result;
}

function toAgent(pending: PendingState, decision: Decision) {
  const call = pending.calls.find((each) => each.id === decision.id);
  if (call === undefined) throw new Error(`No call ${decision.id} waits.`);
  if (decision.type === "approve") return approve(call);
  if (decision.type === "edit") return approve(call, { arguments: decision.arguments });
  if (decision.type === "reject") return reject(call, decision.message);
  return result(call, decision.response);
}
