import { describe, it } from "@jest/globals";
import { inProcessMemory, memory } from "@suite/memory";
import { describePlugin } from "@suite/testkit";

const userId = "ada";
for (const mode of ["automatic", "tools", "both"] as const) {
  describePlugin(
    `memory, ${mode}`,
    { create: () => memory({ store: inProcessMemory(), userId, mode }) },
    { describe, it },
  );
}
