import type { Final, Invocation, Request } from "@suite/core";
import { agentContent, modelContent, questionContent, replyContent } from "../content/messages.js";
import type { RecordType, Target } from "../record/record.js";

/** The kinds of call that are recorded. */
export type ActKind = "agent" | "model" | "tool" | "humanInput";

/** How a kind of call is told. */
export interface ActDescription<K extends ActKind> {
  readonly type: RecordType;
  /** As `gen_ai.operation.name`, where OpenTelemetry has one. */
  readonly operation: string;
  target(called: Pick<Invocation<K>, "request" | "runtime">): Target | undefined;
  asked(request: Request<K>): unknown;
  answered(final: Final<K>): unknown;
}

export const acts: { readonly [K in ActKind]: ActDescription<K> } = {
  agent: {
    type: "agent",
    operation: "invoke_agent",
    target: ({ runtime: { agent } }) => agent && { name: agent.name, ...(agent.id !== undefined && { id: agent.id }) },
    asked: agentContent,
    answered: replyContent,
  },
  model: {
    type: "model",
    operation: "chat",
    target: ({ request: { model, provider, server } }) => ({
      name: model,
      ...(provider !== undefined && { provider }),
      ...(server && { server: server.address }),
    }),
    asked: modelContent,
    answered: replyContent,
  },
  tool: {
    type: "tool",
    operation: "execute_tool",
    target: ({ request: { id, tool } }) => ({ name: tool.name, id }),
    asked: ({ input }) => input,
    answered: (result) => result,
  },
  humanInput: {
    type: "human_input",
    operation: "ask_person",
    target: ({ request: { about } }) => about && { name: about.name, id: about.id },
    asked: questionContent,
    answered: (answer) => answer,
  },
};
