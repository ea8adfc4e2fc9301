import Anthropic from "@anthropic-ai/sdk";
import { afterAll, afterEach, beforeAll, jest } from "@jest/globals";
import { type ModelServer, useModelServer } from "@suite/testkit";
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
      new Anthropic({ apiKey: "none", baseURL: started().url, maxRetries, logLevel: "off" }),
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

/** Error of a client whose timeout of 30 ms runs out once the server has its request, however busy the machine is. */
export async function timedOut(server: ModelServer, asks: () => Promise<unknown>): Promise<Error> {
  jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate"] });
  try {
    const before = server.requests.length;
    const error = rejection(asks());
    while (server.requests.length === before) await new Promise((resolve) => setImmediate(resolve));
    jest.advanceTimersByTime(30);
    return await error;
  } finally {
    jest.useRealTimers();
  }
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}
