import type { Kind } from "../contract/kinds.js";
import type { HookName, Plugin } from "../contract/plugin.js";
import { CoreError } from "../errors.js";
import { isOfClass, memberNames } from "../members.js";

type Member = Exclude<keyof Plugin, "process">;
type Sort<M extends Member> = M extends Kind ? "onion" : M extends HookName ? "hook" : "function" | "value";

/**
 * Every member of a plugin and its sort. This is the only list: the compiler checks that it is complete, and the lists
 * of kinds and hooks are derived from it. A guard of a missing kind would never be called.
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

/** All kinds, outer before inner. */
export const kinds = names.filter((name): name is Kind => members[name] === "onion");

/** All hooks that an adapter may serve or not. */
export const hookNames = names.filter(
  (name): name is HookName => members[name] === "onion" || members[name] === "hook",
);

/**
 * True if an adapter with these hooks calls a plugin's hook. If several hooks do the same (`oneOf`), only the first one
 * is called.
 */
export function calls(plugin: Plugin, name: HookName, serves?: ReadonlySet<HookName>): boolean {
  if (plugin[name] === undefined) return false;
  const same: readonly HookName[] = plugin.oneOf ?? [];
  return !same.includes(name) || name === same.find((one) => plugin[one] !== undefined && serves?.has(one) !== false);
}

const functions = names.filter((name) => members[name] !== "value");

/**
 * Checks a list of plugins.
 *
 * @throws CoreError `ERR_INVALID_PLUGIN`, with the index or the name of the plugin.
 */
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
    checkMembers(plugin);
  }
}

/** Plugins whose members were checked, since a plugin may be attached many times. */
const known = new WeakSet<Plugin>();

/**
 * Rejects members that are never called: a guard under a wrong name would not guard. A plugin may have other data, and
 * an instance of a class may also have other methods. A method whose name resembles a hook is rejected, and so is a
 * plugin with methods but without hooks.
 *
 * @throws CoreError `ERR_INVALID_PLUGIN`
 */
function checkMembers(plugin: Plugin): void {
  if (known.has(plugin)) return;
  const record = plugin as unknown as Readonly<Record<string, unknown>>;
  if (isFunction(record.process)) {
    throw invalid(
      `Plugin ${plugin.name} has "process", but does not name its calls. ` +
        `Write { name: ${JSON.stringify(plugin.name)}, model: layer }, or another kind: ${kinds.join(", ")}.`,
    );
  }
  const others = memberNames(plugin).filter((name) => !Object.hasOwn(members, name));
  const ofClass = isOfClass(plugin);
  const unknown = others.find((name) => isNearly(name) || ((!ofClass || readsAsHook(name)) && isHook(record[name])));
  if (unknown !== undefined) {
    throw invalid(
      `Plugin ${plugin.name} has ${JSON.stringify(unknown)}, which is unknown. Known members: ${names.join(", ")}.`,
    );
  }
  if (ofClass && plugin.redactor === undefined && functions.every((name) => plugin[name] === undefined)) {
    const method = others.find((name) => isFunction(record[name]));
    if (method !== undefined) {
      throw invalid(
        `Plugin ${plugin.name} has ${JSON.stringify(method)}, but no hook. Hooks: ${functions.join(", ")}.`,
      );
    }
  }
  for (const list of ["whereOffered", "oneOf"] as const) {
    const wrong = ([plugin[list] ?? []].flat() as readonly unknown[]).find(
      (name) => !hookNames.includes(name as HookName),
    );
    if (wrong !== undefined) {
      throw invalid(
        `${list} of plugin ${plugin.name} has ${JSON.stringify(wrong)}, which is not a hook. Hooks: ${hookNames.join(", ")}.`,
      );
    }
  }
  known.add(plugin);
}

const isFunction = (value: unknown): boolean => typeof value === "function";

const isHook = (value: unknown): boolean =>
  isFunction(value) || (typeof value === "object" && value !== null && "process" in value);

/** Returns the sorted letters of a name, to compare names regardless of order and case. */
const lettersOf = (name: string): string => [...name.toLowerCase().replace(/[^a-z]/g, "")].sort().join("");
const letters: ReadonlySet<string> = new Set(names.map(lettersOf));

/** Words that other frameworks add to a hook's name, as in `wrapModelCall`, `on_reply`, `listTools`. */
const before: readonly string[] = ["", "on", "before", "after", "wrap", "list"];
const after: readonly string[] = ["", "call", "start", "end"];
/** Other frameworks' words for kinds of calls. */
const foreign: readonly string[] = ["reply", "acting", "turn", "llm", "llmcall", "toolexecution"];
const hooks: ReadonlySet<string> = new Set(
  [...hookNames.map((name) => name.toLowerCase()), ...foreign].flatMap((name) =>
    before.flatMap((first) => after.flatMap((last) => (first + last === "" ? [] : [first + name + last]))),
  ),
);

const isNearly = (name: string): boolean => letters.has(lettersOf(name));
const readsAsHook = (name: string): boolean => hooks.has(name.toLowerCase().replace(/[^a-z]/g, ""));

/**
 * Joins two lists without duplicates. If both contain a `single` plugin with one name, the later one replaces the
 * earlier one at its position.
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
