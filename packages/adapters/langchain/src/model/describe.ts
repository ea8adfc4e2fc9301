import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ModelRequest } from "@suite/core";
import type { ModelSettings } from "@suite/core/contract";
import { isRecord } from "@suite/kit";
import { isChatModel } from "./guarded.js";
import type { PlainModel } from "./plain.js";

/** Returns the model, the server and the settings of a chat model, as far as LangChain knows them. */
export function describeModel(
  model: BaseChatModel | PlainModel,
  settings: Readonly<Record<string, unknown>> = {},
): Pick<ModelRequest, "model" | "provider" | "server" | "settings"> {
  const params: Params = isChatModel(model) ? model.getLsParams({} as never) : {};
  const server = serverOf(model);
  return {
    model: params.ls_model_name ?? nameOf(model) ?? model.getName?.() ?? "model",
    ...(params.ls_provider !== undefined && { provider: params.ls_provider }),
    ...(server && { server }),
    settings: settingsOf(model, params, settings),
  };
}

/** Returns the other parameters that a chat model sends: reasoning, penalties, and those of the provider. */
export function besideOf(model: BaseChatModel | PlainModel): Pick<ModelRequest, "beside"> {
  if (!("invocationParams" in model) || typeof model.invocationParams !== "function") return {};
  const { invocationParams } = model;
  return {
    beside: () => {
      const { stream: _, stream_options: __, ...params } = invocationParams.call(model, {}) as Record<string, unknown>;
      return JSON.parse(JSON.stringify(params)) as unknown; // removes functions and unset values, which are not sent
    },
  };
}

type Params = Partial<ReturnType<BaseChatModel["getLsParams"]>>;

/** Returns the model name in requests. */
export function nameOf(model: object): string | undefined {
  const named = model as { readonly model?: unknown; readonly modelName?: unknown };
  return [named.model, named.modelName].find((name) => typeof name === "string");
}

function settingsOf(
  model: object,
  params: { ls_temperature?: number; ls_max_tokens?: number; ls_stop?: string[] },
  settings: Readonly<Record<string, unknown>>,
): ModelSettings {
  const { topP, maxTokens } = model as { readonly topP?: unknown; readonly maxTokens?: unknown };
  return {
    ...(params.ls_temperature !== undefined && { temperature: params.ls_temperature }),
    ...(typeof maxTokens === "number" && { maxTokens }),
    ...(params.ls_max_tokens !== undefined && { maxTokens: params.ls_max_tokens }),
    ...(params.ls_stop !== undefined && { stopSequences: params.ls_stop }),
    ...(typeof topP === "number" && { topP }),
    ...settings,
  };
}

/** Returns the server if a base URL is set. Only the providers' clients know the default addresses. */
export function serverOf(model: object): ModelRequest["server"] {
  const config = (model as { readonly clientConfig?: unknown }).clientConfig;
  const url = isRecord(config) ? config.baseURL : undefined;
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  return { address: hostname, ...(port !== "" && { port: Number(port) }) };
}
