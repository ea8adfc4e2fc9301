import { type EngineName, type LinearEngine, type LinearPattern, linearEngine } from "@suite/kit/patterns";
import { RE2JS } from "re2js";

export type { EngineName, LinearPattern };

let cached: LinearEngine | undefined;

/** The engine of this package, made when it is first needed. */
function packageEngine(): LinearEngine {
  cached ??= linearEngine(RE2JS, packageUrl());
  return cached;
}

/** Returns the URL of this package. A CommonJS bundle has none and uses no native engine. */
function packageUrl(): string | undefined {
  try {
    return import.meta.url;
  } catch {
    return undefined;
  }
}

/** The engine that runs users' patterns here. */
export function engine(): EngineName {
  return packageEngine().name;
}

/** Compiles a pattern for RE2. Throws the engine's reason if it cannot. */
export const compilePattern = (source: string, flags: string): LinearPattern => packageEngine().compile(source, flags);
