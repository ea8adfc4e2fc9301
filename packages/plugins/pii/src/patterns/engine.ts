import { type EngineName, type LinearEngine, type LinearPattern, linearEngine } from "@suite/kit/patterns";
import { RE2JS } from "re2js";

export type { EngineName, LinearPattern };

let own: LinearEngine | undefined;

/** The engine of this package, made when it is first needed. */
function ownEngine(): LinearEngine {
  own ??= linearEngine(RE2JS, ownUrl());
  return own;
}

/** Returns the URL of this package. A CommonJS bundle has none and uses no native engine. */
function ownUrl(): string | undefined {
  try {
    return import.meta.url;
  } catch {
    return undefined;
  }
}

/** The engine that runs users' patterns here. */
export function engine(): EngineName {
  return ownEngine().name;
}

/** Compiles a pattern for RE2. Throws the engine's reason if it cannot. */
export const compilePattern = (source: string, flags: string): LinearPattern => ownEngine().compile(source, flags);
