/** The minor versions of the SDK that pass the adapter's contract. A minor of 0.x may change anything. */
export const testedMinors = ["0.19", "0.20"] as const;

/**
 * Returns the version of the installed SDK. Returns `undefined` if it cannot be found, as in a bundle or a runtime
 * without a file system.
 */
export function installedVersion(): string | undefined {
  try {
    const { createRequire } = process.getBuiltinModule("node:module");
    const { readFileSync } = process.getBuiltinModule("node:fs");
    const entry = createRequire(import.meta.url).resolve("@openai/agents");
    const folder = /^.*[\\/]@openai[\\/]agents[\\/]/.exec(entry)?.[0];
    const { version }: { version?: unknown } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

let isChecked = false;

/** Warns if the installed SDK is a version that was not tested. Only the first call in a process checks it. */
export function warnOfUntested(versionOf: () => string | undefined = installedVersion): void {
  if (isChecked) return;
  isChecked = true;
  const version = versionOf();
  if (version === undefined || testedMinors.some((minor) => version.startsWith(`${minor}.`))) return;
  console.warn(
    `@suite/openai-agents: @openai/agents ${version} was not tested with this version of the adapter. ` +
      `Tested: ${testedMinors.join(", ")}. Test guards and approvals before you use it, or install a tested version.`,
  );
}
