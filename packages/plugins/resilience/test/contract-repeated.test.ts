import { describe, it } from "@jest/globals";
import { cache, repairToolCall, retryTool, toolErrors } from "@suite/resilience";
import { describePlugin } from "@suite/testkit";

describePlugin("cache", { create: () => cache({ tenant: "everyone" }) }, { describe, it });
const retried = () => retryTool({ tools: () => true, initialDelay: 0, onExhausted: "error" });
describePlugin("retryTool", { create: retried }, { describe, it });
describePlugin("toolErrors", { create: () => toolErrors({ errors: "E_MINE" }) }, { describe, it });
describePlugin("repairToolCall", { create: () => repairToolCall() }, { describe, it });
