import type { Final, Invocation, ModelRequest, Request } from "@suite/core";
import { agentContent, modelContent, questionContent, replyContent, resultContent } from "../record/messages.js";
import type { ActKind, RecordType, Target } from "../record/record.js";

/** A call to record. */
type Called<K extends ActKind> = Pick<Invocation<K>, "request" | "runtime">;

/** The description of a kind of call for its records. */
export interface ActDescription<K extends ActKind> {
  /** The kind in snake case. */
  readonly type: RecordType;
  /** The operation, as in `gen_ai.operation.name` if OpenTelemetry defines one. */
  operation(called: Called<K>): string;
  target(called: Called<K>): Target | undefined;
  /** Facts about the request that are not content. */
  details?(request: Request<K>): Readonly<Record<string, unknown>> | undefined;
  requestContent(request: Request<K>): unknown;
  answered(final: Final<K>): unknown;
}

const modelTarget = (name: string, { provider, server }: Pick<ModelRequest, "provider" | "server">): Target => ({
  name,
  ...(provider !== undefined && { provider }),
  ...(server && { server: server.address }),
});

/** The descriptions of all recorded kinds of call. */
export const acts: { readonly [K in ActKind]: ActDescription<K> } = {
  agent: {
    type: "agent",
    operation: ({ runtime: { agent } }) => (agent?.operation === "workflow" ? "invoke_workflow" : "invoke_agent"),
    target: ({ runtime: { agent } }) => agent && { name: agent.name, ...(agent.id !== undefined && { id: agent.id }) },
    requestContent: agentContent,
    answered: replyContent,
  },
  model: {
    type: "model",
    operation: () => "chat",
    target: ({ request }) => modelTarget(request.model, request),
    details: ({ purpose }) => (purpose === undefined ? undefined : { purpose }),
    requestContent: modelContent,
    answered: replyContent,
  },
  tool: {
    type: "tool",
    operation: () => "execute_tool",
    target: ({ request: { id, tool } }) => ({ name: tool.name, id }),
    requestContent: ({ input }) => input,
    answered: resultContent,
  },
  humanInput: {
    type: "human_input",
    operation: () => "ask_person",
    target: ({ request: { about } }) => about && { name: about.name, id: about.id },
    requestContent: questionContent,
    answered: (answer) => answer,
  },
  embedding: {
    type: "embedding",
    operation: () => "embeddings",
    target: ({ request }) => modelTarget(request.model, request),
    requestContent: ({ input, dimensions }) => ({ input, dimensions }),
    // Vectors are omitted: the input can be guessed from them.
    answered: ({ embeddings, usage, response }) => ({ count: embeddings.length, usage, response }),
  },
  retrieval: {
    type: "retrieval",
    operation: () => "retrieval",
    target: ({ request }) => modelTarget(request.source ?? request.model ?? "documents", request),
    requestContent: ({ query, limit }) => ({ query, limit }),
    answered: ({ documents }) => documents,
  },
  memory: {
    type: "memory",
    operation: ({ request }) => request.operation,
    target({ request }) {
      const { store, ids, records } = request;
      const id = onlyOne(ids) ?? onlyOne(records)?.id;
      return { ...modelTarget(store ?? "memory", request), ...(id !== undefined && { id }) };
    },
    requestContent: ({ query, limit, ids, records }) => ({ query, limit, ids, records }),
    answered: ({ records, count }) => ({ records, count }),
  },
};

const onlyOne = <T>(items: readonly T[] | undefined): T | undefined => (items?.length === 1 ? items[0] : undefined);
