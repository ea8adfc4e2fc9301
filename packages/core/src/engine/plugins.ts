import type { Kind } from "../contract/kinds.js";
import type { HookName, Plugin } from "../contract/plugin.js";
import { CoreError } from "../errors.js";

type Member = keyof Plugin;
type Sort<M extends Member> = M extends Kind ? "onion" : M extends HookName ? "hook" : "function" | "value";

/**
 * Every member of a plugin, and what it is. The one list there is: the compiler holds it complete, and whoever goes
 * through kinds or hooks derives them from it. A kind that is missing would be a guard that is dropped in silence.
 */
const members: { readonly [M in Member]-?: Sort<M> } = {
  agent: "onion",
  reasoning: "onion",
  model: "onion",
  tool: "onion",
  humanInput: "onion",
  compressContext: "onion",
  embedding: "onion",
  retrieval: "onion",
  memory: "onion",
  systemPrompt: "hook",
  tools: "hook",
  approval: "hook",
  observe: "hook",
  observesAttempts: "function",
  reveal: "function",
  forgetUser: "function",
  begin: "function",
  end: "function",
  close: "function",
  name: "value",
  whereOffered: "value",
  oneOf: "value",
  single: "value",
  inSubAgents: "value",
  redactor: "value",
  givesUp: "value",
  settings: "value",
};

const names = Object.keys(members) as readonly Member[];

/** Every kind there is, outer before inner. */
export const kinds = names.filter((name): name is Kind => members[name] === "onion");

/** Every hook that an adapter may or may not have a place for. */
export const hookNames = names.filter(
  (name): name is HookName => members[name] === "onion" || members[name] === "hook",
);

/** Whether a plugin's hook is called where these are served: of several that do the same, the first is. */
export function calls(plugin: Plugin, name: HookName, serves?: ReadonlySet<HookName>): boolean {
  if (plugin[name] === undefined) return false;
  const same: readonly HookName[] = plugin.oneOf ?? [];
  return !same.includes(name) || name === same.find((one) => plugin[one] !== undefined && serves?.has(one) !== false);
}

const functions = names.filter((name) => members[name] !== "value");

/** @throws CoreError `ERR_INVALID_PLUGIN`, naming the place in the list. */
export function checkPlugins(plugins: readonly Plugin[]): void {
  if (!Array.isArray(plugins)) throw invalid("The plugins must be a list, as in [tracing(), guard].");
  for (const [index, plugin] of plugins.entries()) {
    if (typeof plugin === "function") throw invalid(`Plugin ${index} is a function. Call it: tracing(), not tracing.`);
    if (typeof plugin !== "object" || plugin === null) throw invalid(`Plugin ${index} is not an object.`);
    if (typeof plugin.name !== "string" || plugin.name === "") throw invalid(`Plugin ${index} has no name.`);
    for (const name of functions) {
      const hook = plugin[name] as { process?: unknown } | null | undefined;
      if (hook !== undefined && typeof (hook?.process ?? hook) !== "function") {
        throw invalid(`${name} of plugin ${plugin.name} is not a function.`);
      }
    }
    const unknown = unknownMember(plugin);
    if (unknown === undefined) continue;
    throw invalid(`Plugin ${plugin.name} has ${JSON.stringify(unknown)}, which is none of ${names.join(", ")}.`);
  }
}

/** The plugins that have been checked, each once: plugins are attached again and again. */
const known = new WeakSet<Plugin>();

/**
 * A member that nothing would ever ask for: a guard under it would guard nothing. A plugin may have data of its own, and
 * an object of a class also methods: of these, only what is written nearly as a member is taken for a mistake.
 */
function unknownMember(plugin: Plugin): string | undefined {
  if (known.has(plugin)) return undefined;
  const own = plugin as unknown as Readonly<Record<string, unknown>>;
  const prototype: object | null = Object.getPrototypeOf(plugin);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  const all = isPlain ? Object.keys(own) : [...Object.keys(own), ...Object.getOwnPropertyNames(prototype)];
  const unknown = all
    .filter((name) => !Object.hasOwn(members, name))
    .find((name) => isNearly(name) || (isPlain && isHook(own[name])));
  if (unknown === undefined) known.add(plugin);
  return unknown;
}

const isHook = (value: unknown): boolean =>
  typeof value === "function" || (typeof value === "object" && value !== null && "process" in value);

/** The letters of a name, whatever their order or case. */
const lettersOf = (name: string): string => [...name.toLowerCase().replace(/[^a-z]/g, "")].sort().join("");
const letters: ReadonlySet<string> = new Set(names.map(lettersOf));
const isNearly = (name: string): boolean => name !== "constructor" && letters.has(lettersOf(name));

/**
 * Two lists as one, none doubled: the same plugin counts once, and of two `single` plugins of one name the later one
 * takes the earlier one's place.
 */
export function joinPlugins(first: readonly Plugin[], more: readonly Plugin[]): readonly Plugin[] {
  const joined: Plugin[] = [];
  for (const plugin of [...first, ...more]) {
    if (joined.includes(plugin)) continue;
    const twin = plugin.single === true ? joined.findIndex((other) => other.single && other.name === plugin.name) : -1;
    if (twin < 0) joined.push(plugin);
    else joined[twin] = plugin;
  }
  return joined;
}

const invalid = (message: string): CoreError => new CoreError("ERR_INVALID_PLUGIN", message);
