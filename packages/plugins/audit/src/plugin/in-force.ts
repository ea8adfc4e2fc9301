import type { Redactor, RuntimeContext } from "@suite/core";
import { type PluginInfo, pluginsKey } from "@suite/core/contract";
import { canonicalJson, type JsonObject } from "../record/canonical.js";
import type { Composed } from "../record/compose.js";
import { idOf } from "../record/ids.js";
import { toJsonCopy } from "../record/plain.js";
import { redactJson } from "../record/redaction.js";
import type { RunFacts } from "../record/run-facts.js";

/** Maximum number of remembered agents, by name. The policy of a forgotten agent is recorded again. */
const MAX_AGENTS = 1000;

/** Estimated size of the record without its details, in bytes. */
const FRAME_BYTES = 512;

/** The plugins of an agent's last run, and their recorded policy. */
interface Recorded {
  plugins: readonly PluginInfo[];
  readonly text: string;
}

/** Detects when the policy of an agent differs from the last recorded one. */
export class PolicyInForce {
  readonly #settings: JsonObject;
  readonly #byAgent = new Map<string | undefined, Recorded>();
  /**
   * Runs that were already checked. Otherwise two concurrent runs with different plugins would record their policies in
   * turns.
   */
  readonly #looked = new WeakSet<RuntimeContext>();

  /** @param settings the options of the audit plugin that may be recorded */
  constructor(settings: object) {
    this.#settings = toJsonCopy(settings).value as JsonObject;
  }

  /** Returns the record to write before others of this run. Nearly always `undefined`. */
  changed({ runtime, redactor }: RunFacts): Composed | undefined {
    const plugins = runtime.get(pluginsKey);
    const agent = idOf(runtime.agent?.name);
    const last = this.#byAgent.get(agent);
    if (last?.plugins === plugins || this.#looked.has(runtime)) return undefined;
    this.#looked.add(runtime);
    if (last !== undefined && isSame(last.plugins, plugins)) {
      last.plugins = plugins;
      return undefined;
    }
    const policy = this.#policyOf(agent, plugins, redactor);
    const text = canonicalJson(policy);
    this.#remember(agent, { plugins, text });
    if (last?.text === text) return undefined;
    return {
      record: recordOf(last === undefined ? "start" : "change", runtime, policy),
      bytes: FRAME_BYTES + text.length,
    };
  }

  /** Returns the settings for the record, bounded and redacted. */
  #policyOf(agent: string | undefined, plugins: readonly PluginInfo[], redactor: Redactor | undefined): JsonObject {
    const listed = plugins.map(({ name, settings }) => ({ name, settings }));
    const details = { ...this.#settings, redactor: redactor !== undefined, plugins: listed };
    const json = toJsonCopy({ agent, details }).value as JsonObject;
    try {
      return redactor ? (redactJson(json, redactor) as JsonObject) : json;
    } catch {
      return { details: { redaction: "failed" } };
    }
  }

  #remember(agent: string | undefined, recorded: Recorded): void {
    this.#byAgent.delete(agent);
    this.#byAgent.set(agent, recorded);
    for (const oldest of this.#byAgent.keys()) {
      if (this.#byAgent.size <= MAX_AGENTS) break;
      this.#byAgent.delete(oldest);
    }
  }
}

const isSame = (some: readonly PluginInfo[], others: readonly PluginInfo[]): boolean =>
  some.length === others.length && some.every((plugin, i) => plugin === others[i]);

/** Creates the policy record of an agent. It contains the run but no user or session, since it applies to all. */
function recordOf(operation: "start" | "change", runtime: RuntimeContext, policy: JsonObject): Composed["record"] {
  const [runId, agentId] = [idOf(runtime.runId), idOf(runtime.agent?.id)];
  const actor = {
    ...(typeof policy.agent === "string" && { agent: policy.agent }),
    ...(agentId !== undefined && { agentId }),
  };
  return {
    version: 1,
    id: crypto.randomUUID(),
    time: new Date().toISOString(),
    stage: "outcome",
    type: "policy",
    operation,
    ...(runId !== undefined && { runId }),
    ...(Object.keys(actor).length > 0 && { actor }),
    details: policy.details as JsonObject,
  };
}
