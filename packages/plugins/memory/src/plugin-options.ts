import type { Awaitable, RuntimeContext } from "@suite/core";
import { callable, count, either, flag, oneOf, name as text, time } from "@suite/kit/options";
import { completeExchange, type Exchange } from "./exchange.js";
import { checkOptions, having } from "./options.js";
import type { MemoryStore } from "./store.js";
import type { UserOf } from "./user.js";

/** The options of `memory`. */
export interface MemoryPluginOptions {
  /** The store: `inProcessMemory()`, or a custom one. */
  readonly store: MemoryStore;
  /** The user whose memories a run may see. Default: the run's `userId`. */
  readonly userId?: UserOf;
  /**
   * Behavior if a run has no user. `error` (default): the run fails (`ERR_MEMORY_USER`). `skip`: it continues
   * without memory.
   */
  readonly whenNoUser?: "error" | "skip";
  /**
   * `automatic` (default): the memory is searched before a reply, and the exchange is stored after it. `tools`: the
   * model searches and stores with tools. `both`.
   */
  readonly mode?: "automatic" | "tools" | "both";
  /** Restricts an agent to the memories that it stored, by its name. Default: all agents share a user's memories. */
  readonly perAgent?: boolean;
  /** The records that a search finds at most. Default: 5. */
  readonly limit?: number;
  /** The characters of a record that a model is shown, and of a question and an answer that are kept. Default: 2000. */
  readonly maxCharacters?: number;
  /**
   * Returns the strings to store for a reply; an empty list stores nothing. Default: one string with question and
   * answer.
   */
  readonly remember?: (exchange: Exchange, runtime: RuntimeContext) => Awaitable<readonly string[]>;
  /** The section of the system prompt that describes the memory. Default: describes the tools, if there are any. */
  readonly prompt?: string;
  /**
   * Behavior if a search or a tool fails. `open` (default): the reply continues without memory. `closed`: it fails.
   * Both are reported.
   */
  readonly onError?: "open" | "closed";
  /** Milliseconds that an operation of the store may take. Default: 5000. */
  readonly timeout?: number;
  /** The name on spans and in records. Default: `memory`. */
  readonly name?: string;
}

/** The options with those that were left out. */
export type Settled = Required<Omit<MemoryPluginOptions, "userId" | "prompt">> &
  Pick<MemoryPluginOptions, "userId" | "prompt">;

const checks = {
  store: having("an object with id, search, add and forget", "search", "add", "forget"),
  userId: either(text, callable),
  whenNoUser: oneOf("error", "skip"),
  mode: oneOf("automatic", "tools", "both"),
  perAgent: flag,
  limit: count,
  maxCharacters: count,
  remember: callable,
  prompt: text,
  onError: oneOf("open", "closed"),
  timeout: time,
  name: text,
};

/** @throws {MemoryError} `ERR_MEMORY_OPTION` */
export function settledOf(options: MemoryPluginOptions): Settled {
  options = checkOptions("memory", options, checks, ["store"]);
  const { whenNoUser = "error", mode = "automatic", perAgent = false, limit = 5, maxCharacters = 2000 } = options;
  const { remember = completeExchange(maxCharacters), onError = "open", timeout = 5000, name = "memory" } = options;
  const { store, userId, prompt } = options;
  const optional = { ...(userId !== undefined && { userId }), ...(prompt !== undefined && { prompt }) };
  return { store, ...optional, whenNoUser, mode, perAgent, limit, maxCharacters, remember, onError, timeout, name };
}
