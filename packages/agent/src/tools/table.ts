import type { HookName, Plugin, RunTools, Tool } from "@suite/core";
import { AgentError } from "../errors.js";
import { checkTimeout } from "./time-limit.js";
import type { AgentTool } from "./tool.js";

/** Hooks that happen once per round or per run: a tool alone has no place for them. */
const notOfTools: readonly HookName[] = ["agent", "reasoning", "model", "compressContext", "systemPrompt", "tools"];

/**
 * Tools by name.
 *
 * @param plugins of the agent: one that a tool has, too, runs there.
 * @throws AgentError `ERR_AGENT_DUPLICATE_TOOL`, or `ERR_AGENT_OPTIONS` where a tool's plugin is none without a hook that cannot run round a tool.
 */
export function toolsByName(tools: readonly AgentTool[], plugins: readonly Plugin[]): ReadonlyMap<string, AgentTool> {
  const byName = new Map<string, AgentTool>();
  for (const tool of tools) {
    if (byName.has(tool.name))
      throw new AgentError("ERR_AGENT_DUPLICATE_TOOL", `Two tools are named ${JSON.stringify(tool.name)}.`);
    byName.set(tool.name, tool);
    checkTimeout(tool.timeout, `timeout of the tool ${tool.name}`);
    for (const plugin of tool.plugins ?? []) if (!plugins.includes(plugin)) checkPlugin(plugin, tool);
  }
  return byName;
}

function checkPlugin(plugin: Plugin, tool: AgentTool): void {
  const hook = notOfTools.find((name) => plugin[name] !== undefined && plugin.whereOffered?.includes(name) !== true);
  if (hook === undefined) return;
  throw new AgentError(
    "ERR_AGENT_OPTIONS",
    `Plugin ${plugin.name} of the tool ${tool.name} has the hook ${hook}, which cannot run round one tool. Give the plugin to the agent.`,
  );
}

/** The tools of one run, which plugins and tools may change while it goes on. */
export class LiveTools implements RunTools {
  /** The tools by name: a new map after each change, so that nobody's map changes while they go through it. */
  current: ReadonlyMap<string, AgentTool>;
  readonly #plugins: readonly Plugin[];

  /** @throws AgentError `ERR_AGENT_DUPLICATE_TOOL` or `ERR_AGENT_OPTIONS` */
  constructor(tools: readonly AgentTool[], plugins: readonly Plugin[]) {
    this.#plugins = plugins;
    this.current = toolsByName(tools, plugins);
  }

  get all(): readonly AgentTool[] {
    return [...this.current.values()];
  }

  add(...tools: readonly Tool[]): void {
    this.current = toolsByName([...this.current.values(), ...tools], this.#plugins);
  }

  remove(name: string): boolean {
    if (!this.current.has(name)) return false;
    this.current = new Map([...this.current].filter(([each]) => each !== name));
    return true;
  }
}
