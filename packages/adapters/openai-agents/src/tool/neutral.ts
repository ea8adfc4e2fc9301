import type { Tool } from "@suite/core";
import type { SdkTool } from "../framework.js";

const known = new WeakMap<object, Tool>();

/** Returns an SDK tool as plugins see it. The SDK runs it. */
export function neutralTool(tool: SdkTool): Tool {
  let neutral = known.get(tool);
  if (neutral === undefined) {
    const { name, description, parameters } = tool;
    neutral = { name, description, parameters: { ...parameters }, execute };
    known.set(tool, neutral);
  }
  return neutral;
}

const execute = (): never => {
  throw new TypeError("The SDK runs this tool: call it through the agent.");
};
