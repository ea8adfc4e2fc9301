import { tool } from "@openai/agents";
import type { Tool } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { ambientStorage } from "@suite/core/framework";
import type { SdkTool } from "../framework.js";
import type { CurrentRun } from "../sdk/current-run.js";
import { noteFailure } from "./failure.js";

const offers = new WeakMap<Run, Promise<readonly SdkTool[]>>();

/** Returns the tools that plugins add as SDK tools, except those whose names are in use. */
export async function offeredTools(
  { runs, run }: CurrentRun,
  takenNames: ReadonlySet<string>,
): Promise<readonly SdkTool[]> {
  let offered = offers.get(run);
  if (offered === undefined) {
    offered = runs.stack.tools(run).then((tools) => tools.map((each) => sdkTool(each, run)));
    offers.set(run, offered);
  }
  return (await offered).filter(({ name }) => !takenNames.has(name));
}

function sdkTool({ name, description = "", parameters, execute }: Tool, run: Run): SdkTool {
  return tool({
    name,
    description,
    parameters: { type: "object", properties: {}, required: [], additionalProperties: true, ...parameters },
    strict: false,
    async execute(input: unknown) {
      const call = ambientStorage()?.getStore()?.call;
      try {
        if (execute === undefined || call === undefined) throw new TypeError(`${name} cannot run here.`);
        return await execute(input, run, call);
      } catch (error) {
        noteFailure({ error });
        throw error;
      }
    },
  } as Parameters<typeof tool>[0]) as unknown as SdkTool;
}
