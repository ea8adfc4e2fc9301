import type { Invocation } from "@suite/core";
import type { MemoryRecord, MemoryRequest, MemoryResult, ToolSteps } from "@suite/core/contract";
import { AgentError } from "../errors.js";
import type { ToolContext } from "./context.js";
import { stackOf } from "./context.js";
import type { AgentTool, ToolMemory } from "./tool.js";

/** The fields of an input that describe the memory operation. */
interface MemoryInput {
  readonly query?: unknown;
  readonly limit?: unknown;
  readonly id?: unknown;
  readonly ids?: unknown;
  readonly content?: unknown;
  readonly metadata?: unknown;
  readonly records?: unknown;
}

/**
 * Runs a memory operation for a tool that declares `memory`. The tool's function runs inside a `memory` call within the
 * tool call.
 */
export async function remember(
  { run, stack }: ToolContext,
  tool: AgentTool,
  declared: ToolMemory,
  input: unknown,
  { call }: Invocation<"tool">,
  steps: ToolSteps,
): Promise<unknown> {
  const memoryInput = input as MemoryInput;
  let done: { readonly result: unknown } | undefined;
  const outcome = await stackOf(tool, stack).call(
    "memory",
    run,
    requestOf(tool, declared, memoryInput),
    async (invocation) => {
      const { request, runtime } = invocation;
      const result: unknown = await tool.execute?.(inputOf(memoryInput, request), runtime, invocation.call, steps);
      if (declared.operation === "search_memory") checkFound(result, tool);
      done = { result };
      invocation.respond({ value: memoryResult(result) });
    },
    call,
  );
  const { records, count } = await outcome.final();
  if (done === undefined) return records ?? { count }; // a layer answered instead of the tool
  if (areRecords(done.result)) return records ?? [];
  return isRecord(done.result) ? records?.[0] : done.result;
}

/** @throws AgentError `ERR_AGENT_TOOL_INPUT` */
function requestOf(
  { name }: AgentTool,
  { operation, store, limit: most }: ToolMemory,
  memoryInput: MemoryInput,
): MemoryRequest {
  const base = { operation, ...(store !== undefined && { store }) };
  if (operation === "create_memory_store" || operation === "delete_memory_store") return base;
  const refused = (lacks: string): AgentError =>
    new AgentError("ERR_AGENT_TOOL_INPUT", `${name} declares \`${operation}\`, but was called without ${lacks}.`);
  if (operation === "search_memory") {
    const { query, limit = most } = memoryInput;
    if (typeof query !== "string") throw refused("a string as `query`");
    return { ...base, query, ...(typeof limit === "number" && { limit }) };
  }
  if (operation === "delete_memory") {
    const ids = memoryInput.ids ?? [memoryInput.id];
    if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string"))
      throw refused("a string as `id`, or several as `ids`");
    return { ...base, ids };
  }
  const records = memoryInput.records ?? [recordOf(memoryInput)];
  if (!areRecords(records)) throw refused("`content`, or a list of `records` with it");
  return { ...base, records };
}

const recordOf = ({ id, content, metadata }: MemoryInput): unknown =>
  content !== undefined && {
    ...(typeof id === "string" && { id }),
    content,
    ...(metadata !== undefined && { metadata }),
  };

/**
 * Returns the input with the values that layers changed in the request. Only fields that the input has are replaced.
 */
function inputOf(memoryInput: MemoryInput, { query, limit, ids, records }: MemoryRequest): unknown {
  const [id] = ids ?? [];
  const [record] = records ?? [];
  const changed: Record<keyof MemoryInput, unknown> = {
    query,
    limit,
    id: id ?? record?.id,
    ids,
    content: record?.content,
    metadata: record?.metadata,
    records,
  };
  const fields = Object.entries(changed).filter(
    ([name, value]) => value !== undefined && Object.hasOwn(memoryInput, name),
  );
  return { ...memoryInput, ...Object.fromEntries(fields) };
}

/** Returns the result of a tool as the `memory` layers see it. */
function memoryResult(result: unknown): MemoryResult {
  if (areRecords(result)) return { records: result };
  if (isRecord(result)) return { records: [result] };
  return typeof result === "number" ? { count: result } : {};
}

/** @throws AgentError `ERR_AGENT_TOOL_RECORDS` */
function checkFound(result: unknown, { name }: AgentTool): void {
  if (areRecords(result)) return;
  throw new AgentError(
    "ERR_AGENT_TOOL_RECORDS",
    `${name} declares \`search_memory\`, but returned no list of records. Return [{ content, id?, score?, metadata? }, …].`,
  );
}

const isRecord = (value: unknown): value is MemoryRecord =>
  typeof value === "object" && value !== null && "content" in value;

const areRecords = (value: unknown): value is readonly MemoryRecord[] => Array.isArray(value) && value.every(isRecord);
