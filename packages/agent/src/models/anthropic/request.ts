import type Anthropic from "@anthropic-ai/sdk";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { ModelRequest, ModelSettings } from "@suite/core";
import { messagesSettings, toMessagesToolChoice } from "@suite/wire";
import { AgentError } from "../../errors.js";
import type { JsonSchema } from "../../tools/schema.js";
import { outputSchemaOf, parametersOf } from "../schema.js";
import { historyOf } from "./messages.js";

type Params = Omit<Anthropic.MessageCreateParamsNonStreaming, "stream">;

/** The API wants a limit. Thinking counts towards it. */
const defaultMaxTokens = 8192;

/** The body of a request. What the request has goes before what its settings pass on under the API's own names. */
export function paramsOf(request: ModelRequest): Params {
  const { tools, toolChoice, outputSchema } = request;
  const settings = settingsOf(request.settings ?? {});
  return {
    max_tokens: defaultMaxTokens,
    ...settings,
    model: request.model,
    ...historyOf(request.messages, request.cacheMarks),
    ...(tools.length > 0 && {
      tools: [
        ...tools.map((tool) => ({
          name: tool.name,
          ...(tool.description !== undefined && { description: tool.description }),
          input_schema: parametersOf(tool),
        })),
        ...(settings.tools ?? []),
      ],
    }),
    ...(toolChoice !== undefined && { tool_choice: toMessagesToolChoice(toolChoice) }),
    ...(outputSchema !== undefined && {
      output_config: {
        ...settings.output_config,
        format: { type: "json_schema", schema: withinSubset(outputSchemaOf(outputSchema)) },
      },
    }),
  };
}

/** A schema within what the API checks: all else becomes a description, as the SDK's own helpers have it. */
function withinSubset(schema: JsonSchema): JsonSchema {
  try {
    return transformJSONSchema(schema);
  } catch {
    return schema; // for the provider to say what it lacks
  }
}

const names: Readonly<Record<string, string>> = messagesSettings;
const missing: ReadonlySet<string> = new Set(["seed", "frequencyPenalty", "presencePenalty"]);

function settingsOf(settings: ModelSettings): Partial<Params> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  for (const [name] of given) {
    if (!missing.has(name)) continue;
    throw new AgentError(
      "ERR_AGENT_MODEL_REQUEST",
      `Anthropic's messages API has no setting \`${name}\`. Leave it out.`,
    );
  }
  return Object.fromEntries(given.map(([name, value]) => [names[name] ?? name, value]));
}
