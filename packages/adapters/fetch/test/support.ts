import Anthropic from "@anthropic-ai/sdk";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { useModelServer } from "@suite/testkit";
import OpenAI from "openai";

/** One server for a test file, empty before each test, with a real client of each vendor. */
export function useServer() {
  const started = useModelServer({ beforeAll, afterEach, afterAll });
  return {
    get server() {
      return started();
    },
    openai: (maxRetries = 0) =>
      new OpenAI({ apiKey: "none", baseURL: `${started().url}/v1`, maxRetries, logLevel: "off" }),
    anthropic: (maxRetries = 0) =>
      new Anthropic({ apiKey: "none", baseURL: started().url, maxRetries, logLevel: "off", openTelemetry: false }),
  };
}

/** The error that a promise rejects with; fails where it does not. */
export async function rejection(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error("It did not reject.");
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}
