import type { Invocation } from "@suite/core";
import type { RetrievedDocument, ToolSteps } from "@suite/core/contract";
import { AgentError } from "../errors.js";
import type { ToolContext } from "./context.js";
import { stackOf } from "./context.js";
import type { AgentTool } from "./tool.js";

/**
 * Searches documents for a tool that declares `retrieval`. The tool's function runs inside a `retrieval` call within
 * the tool call.
 */
export async function search(
  { run, stack }: ToolContext,
  tool: AgentTool,
  input: unknown,
  { call }: Invocation<"tool">,
  steps: ToolSteps,
): Promise<readonly RetrievedDocument[]> {
  const fields = input as { readonly query?: unknown; readonly limit?: unknown };
  const { source, limit: most } = typeof tool.retrieval === "object" ? tool.retrieval : {};
  const limit = typeof fields.limit === "number" ? fields.limit : most;
  const { query } = fields;
  if (typeof query !== "string") {
    throw new AgentError(
      "ERR_AGENT_TOOL_INPUT",
      `${tool.name} declares \`retrieval\`, but was called without a text as \`query\`.`,
    );
  }
  const outcome = await stackOf(tool, stack).call(
    "retrieval",
    run,
    { query, ...(source !== undefined && { source }), ...(limit !== undefined && { limit }) },
    async (invocation) => {
      const { request, runtime } = invocation;
      const finalInput = {
        ...fields,
        query: request.query,
        ...(typeof fields.limit === "number" && { limit: request.limit }),
      };
      const documents: unknown = await tool.execute?.(finalInput, runtime, invocation.call, steps);
      invocation.respond({ value: { documents: checked(documents, tool) } });
    },
    call,
  );
  return (await outcome.final()).documents;
}

/** @throws AgentError `ERR_AGENT_TOOL_DOCUMENTS` */
function checked(documents: unknown, { name }: AgentTool): readonly RetrievedDocument[] {
  const isDocument = (one: unknown): boolean => typeof one === "object" && one !== null && "content" in one;
  if (Array.isArray(documents) && documents.every(isDocument)) return documents as readonly RetrievedDocument[];
  throw new AgentError(
    "ERR_AGENT_TOOL_DOCUMENTS",
    `${name} declares \`retrieval\`, but returned no list of documents. Return [{ content, id?, score?, metadata? }, …].`,
  );
}
