import type { Tool } from "@suite/core";
import type { SdkRequest } from "../framework.js";

type SerializedTool = SdkRequest["tools"][number];
type SerializedHandoff = SdkRequest["handoffs"][number];

/** The tools of a request as plugins see them, with their originals. Each handoff is one of the tools. */
export interface NeutralTools {
  readonly list: readonly Tool[];
  readonly tools: ReadonlyMap<Tool, SerializedTool>;
  readonly handoffs: ReadonlyMap<Tool, SerializedHandoff>;
}

export function toolsOf(request: SdkRequest): NeutralTools {
  const tools = new Map(request.tools.map((tool) => [neutral(tool), tool]));
  const handoffs = new Map(request.handoffs.map((handoff) => [neutralHandoff(handoff), handoff]));
  return { list: [...tools.keys(), ...handoffs.keys()], tools, handoffs };
}

/** Converts the tools after the layers to the SDK's form. */
export function fromTools(list: readonly Tool[], known: NeutralTools): Pick<SdkRequest, "tools" | "handoffs"> {
  return {
    tools: list.flatMap((tool) => (known.handoffs.has(tool) ? [] : [known.tools.get(tool) ?? serialized(tool)])),
    handoffs: list.flatMap((tool) => known.handoffs.get(tool) ?? []),
  };
}

/** The `execute` of a tool definition for the model. It cannot be called, because the SDK runs the tool. */
const execute = (): never => {
  throw new TypeError("This object only describes the tool to the model. The SDK runs it.");
};

const neutral = (tool: SerializedTool): Tool =>
  tool.type === "function"
    ? { name: tool.name, description: tool.description, parameters: { ...tool.parameters }, execute }
    : { name: tool.name, execute };

const neutralHandoff = ({ toolName, toolDescription, inputJsonSchema }: SerializedHandoff): Tool => ({
  name: toolName,
  description: toolDescription,
  parameters: { ...inputJsonSchema },
  execute,
});

const serialized = ({ name, description = "", parameters }: Tool): SerializedTool => ({
  type: "function",
  name,
  description,
  parameters: { type: "object", properties: {}, required: [], additionalProperties: false, ...parameters } as never,
  strict: false,
});
