import type { Plugin, RunTools, Tool } from "@suite/core";
import { toolsByName } from "./table.js";
import type { AgentTool } from "./tool.js";

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
