import type { HookName, Plugin, Tool } from "@suite/core";
import type { RunTools } from "@suite/core/contract";
import { AgentError } from "../errors.js";
import { checkTimeout } from "./time-limit.js";
import type { AgentTool } from "./tool.js";

/** Hooks that run once per round or per run. Plugins of a single tool cannot have them. */
const notOfTools: readonly HookName[] = ["agent", "reasoning", "model", "compressContext", "systemPrompt", "tools"];

/**
 * Returns the tools by name.
 *
 * @param plugins the plugins of the agent. A tool's plugin that is also in this list runs there, so it is not checked.
 * @throws AgentError `ERR_AGENT_DUPLICATE_TOOL`, or `ERR_AGENT_OPTIONS` if a plugin of a tool has a hook that cannot
 * run for a single tool.
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
    `Plugin ${plugin.name} of the tool ${tool.name} has the hook ${hook}, which cannot wrap a single tool. Add the plugin to the agent.`,
  );
}

/** The tools of one run. Plugins and tools may change them during the run. */
export class LiveTools implements RunTools {
  /** The tools by name. Each change creates a new map, so that no map changes while it is iterated. */
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
