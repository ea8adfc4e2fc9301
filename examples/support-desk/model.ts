import type { Model } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { startModelServer } from "@suite/testkit";
import { answerTo } from "./script.js";

export interface DeskModel {
  readonly model: Model;
  /** Said to the user: which model answers. */
  readonly shown: string;
  close(): Promise<void>;
}

/** A real model where the environment names one; else the fake server, which needs no account and no network. */
export async function deskModel(env: NodeJS.ProcessEnv): Promise<DeskModel> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: name = "gpt-5-mini" } = env;
  if (apiKey !== undefined || baseURL !== undefined) {
    const model = openai(name, { apiKey: apiKey ?? "none", ...(baseURL !== undefined && { baseURL }) });
    return { model, shown: `${name} at ${model.server?.address ?? "its provider"}`, close: async () => {} };
  }
  const server = await startModelServer({ port: Number(env.MODEL_PORT ?? 0) });
  server.script((request) => answerTo(request.body));
  return {
    model: openai("fake-model", { apiKey: "none", baseURL: `${server.url}/v1` }),
    shown: `a fake model server at ${server.url}, scripted; set OPENAI_API_KEY or OPENAI_BASE_URL for a real one`,
    close: () => server.close(),
  };
}
