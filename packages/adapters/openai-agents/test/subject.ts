import * as agents from "@openai/agents";
import {
  type Attempt,
  answering,
  type ContractTool,
  type Decision,
  Leg,
  type ModelServer,
  type Observed,
  type SeenPiece,
  type Subject,
} from "@suite/testkit";
import { withPlugins } from "../src/index.js";
import { type Api, runnerOf } from "./support.js";

type Agent = agents.Agent<unknown, agents.AgentOutputType>;
type State = agents.RunState<unknown, Agent>;

/** The SDK with the adapter, as the contract tests see it. */
export function agentsSubject(server: () => ModelServer, api: Api): Subject {
  return {
    offers: new Set([
      ...([
        "model",
        "stream",
        "parts",
        "tools",
        "error-identity",
        "provider-errors",
        "abort",
        "system-prompt",
        "structured-output",
        "agent-reads",
      ] as const),
      ...(["approval", "sub-agents", "usage", "ask", "memory", "ids"] as const),
      ...(api === "responses" ? (["tool-files"] as const) : []),
    ]),
    lacks: {
      "agent-streams": "the stream contains events of the SDK, which are not part of the answer that a layer reads",
      "abandon-tools": "the SDK waits for the tools that run, and then ends what was aborted",
      "approval-edit": "an approval of the SDK says yes or no, and has no place for other arguments",
      "external-tools": "a call that waits in the SDK waits for an approval: no result can be given for it",
      "tool-failures":
        "a result of the SDK is what the model is told, and says of no failure: test/tools.test.ts has it",
      "tool-files": "of what a tool gives the SDK tells chat completions the text alone",
      "tool-context": "the SDK tells a tool of its own call alone",
      embeddings: "the SDK asks for no embeddings",
      retrieval: "what the SDK searches, OpenAI searches; all else is a tool",
    },
    hooks: withPlugins.serves,
    async run(attempt) {
      return leg(new Desk(answering(server(), attempt), api, attempt), attempt.input);
    },
  };
}

/** The runner and models of one attempt, from its start to its end. */
class Desk {
  readonly runner: agents.Runner;
  readonly #module: typeof agents;

  constructor(
    readonly server: ModelServer,
    api: Api,
    readonly attempt: Attempt,
  ) {
    this.#module = withPlugins(agents, [...attempt.plugins], { run: attempt.run });
    this.runner = runnerOf(this.#module, server, api);
  }

  /** Made anew for each leg: only the JSON of the state goes on. */
  agent(): Agent {
    const { systemPrompt, tools, outputSchema } = this.attempt;
    return new agents.Agent({
      name: "desk",
      ...(systemPrompt !== undefined && { instructions: systemPrompt }),
      tools: tools.map((tool) => this.#tool(tool)),
      ...(outputSchema && {
        outputType: { type: "json_schema", name: "answer", strict: true, schema: outputSchema } as never,
      }),
    }) as unknown as Agent;
  }

  #tool({ name, description, parameters, execute, needsApproval = false, agent }: ContractTool): agents.Tool {
    if (agent !== undefined) {
      const inner = new agents.Agent({ name: agent.name, tools: agent.tools.map((tool) => this.#tool(tool)) });
      return inner.asTool({
        toolName: name,
        toolDescription: description,
        parameters: parameters as never,
        inputBuilder: ({ params }) => (params as unknown as { prompt: string }).prompt,
      });
    }
    return this.#module.tool({
      name,
      description,
      parameters: parameters as never,
      strict: true,
      needsApproval,
      execute: async (input: unknown) => execute?.(input),
    });
  }
}

/** Runs an agent from a start, or a resume, to an end, or the next suspension. */
async function leg(desk: Desk, input: string | State, agent = desk.agent()): Promise<Observed> {
  const { runner, server, attempt } = desk;
  const watched = new Leg(server, attempt);
  let answers = 0;
  const options = { ...(attempt.signal && { signal: attempt.signal }) };
  let result: agents.RunResult<unknown, Agent> | agents.StreamedRunResult<unknown, Agent> | undefined;
  let error: unknown;
  try {
    if (attempt.stream) {
      const streamed = await runner.run(agent, input, { ...options, stream: true });
      result = streamed;
      for await (const event of streamed) {
        const seen = event.type === "raw_model_stream_event" ? seenIn(event.data, answers) : [];
        watched.parts.push(...seen);
        if (event.type !== "raw_model_stream_event") continue;
        if (event.data.type === "response_done") answers++;
        if (event.data.type !== "output_text_delta") continue;
        if (!watched.read(event.data.delta)) break;
      }
      await streamed.completed;
      // A stream that was aborted ends, and says so in this way alone.
      if (streamed.cancelled) throw attempt.signal?.reason ?? new Error("cancelled");
    } else result = await runner.run(agent, input, options);
  } catch (caught) {
    error = caught;
  }
  const { interruptions = [] } = result ?? {};
  // The server's ids go back to it: each of its answers has others.
  const ids = /"(rs|msg|fc)_\d+/g;
  const prompts = watched.seen.prompts.map((prompt) => prompt.replace(ids, '"$1'));
  const finalOutput: unknown = error === undefined && interruptions.length === 0 ? result?.finalOutput : undefined;
  return {
    ...watched.seen,
    prompts,
    ...(error !== undefined && { error }),
    ...(typeof finalOutput === "string" ? { text: finalOutput } : { output: finalOutput }),
    ...(result !== undefined &&
      interruptions.length > 0 && {
        pending: interruptions.map(({ rawItem }) => {
          const { callId, name, arguments: json } = rawItem as agents.FunctionCallItem;
          return { id: callId, name, arguments: JSON.parse(json), reason: "approval" as const };
        }),
        resume: resuming(desk, result.state.toString()),
      }),
  };
}

const resuming = (desk: Desk, text: string) => async (decisions: readonly Decision[]) => {
  const agent = desk.agent();
  const state = await agents.RunState.fromString<unknown, Agent>(agent, text);
  for (const item of state.getInterruptions()) {
    const { callId } = item.rawItem as agents.FunctionCallItem;
    const decision = decisions.find(({ id }) => id === callId);
    if (decision?.type === "approve") state.approve(item);
    if (decision?.type === "reject") state.reject(item, { message: decision.message });
  }
  return leg(desk, state, agent);
};

/**
 * The pieces that an event of a model's answer shows: texts come in pieces, and all that was said stands at its end once
 * more.
 */
function seenIn(event: agents.StreamEvent, answer: number): readonly SeenPiece[] {
  if (event.type === "output_text_delta") {
    const { itemId = "" } = event as { readonly itemId?: string };
    return [{ id: `piece ${answer}/${itemId}`, type: "text", text: event.delta }];
  }
  if (event.type !== "response_done") return [];
  return event.response.output.flatMap((item, index): readonly SeenPiece[] => {
    const id = `item ${answer}/${index}`;
    if (item.type === "function_call") return [{ id, type: "tool_call", text: item.arguments }];
    if (item.type === "reasoning") return item.content.map(({ text }) => ({ id, type: "reasoning", text }));
    if (!("role" in item) || item.role !== "assistant") return [];
    return item.content.flatMap((piece, at) =>
      piece.type === "output_text" ? [{ id: `${id}/${at}`, type: "text" as const, text: piece.text }] : [],
    );
  });
}
