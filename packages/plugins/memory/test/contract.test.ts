import { describe, it } from "@jest/globals";
import { memoryStateStore } from "@suite/kit/store";
import { conversations, inProcessMemory, memory } from "@suite/memory";
import { describePlugin } from "@suite/testkit";

const userId = "ada";
for (const mode of ["automatic", "tools", "both"] as const) {
  describePlugin(
    `memory, ${mode}`,
    { create: () => memory({ store: inProcessMemory(), userId, mode }) },
    { describe, it },
  );
}

describePlugin("conversations", { create: () => conversations({ store: memoryStateStore() }) }, { describe, it });
const sessionId = (runtime: { readonly runId: string }) => runtime.runId;
describePlugin(
  "conversations with a session",
  { create: () => conversations({ store: memoryStateStore(), sessionId }) },
  { describe, it },
);
