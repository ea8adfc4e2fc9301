import { describe, it } from "@jest/globals";
import { circuitBreaker, hedge, modelFallback, retryModel, timeout } from "@suite/resilience";
import { describePlugin } from "@suite/testkit";

describePlugin("retryModel", { create: () => retryModel({ initialDelay: 0 }) }, { describe, it });
describePlugin("modelFallback", { create: () => modelFallback({ models: ["another"] }) }, { describe, it });
describePlugin("circuitBreaker", { create: () => circuitBreaker() }, { describe, it });
describePlugin("hedge", { create: () => hedge({ delay: 60_000 }) }, { describe, it });
const times = { call: 60_000, firstChunk: 60_000, betweenChunks: 60_000, tool: 60_000 };
describePlugin("timeout", { create: () => timeout(times) }, { describe, it });
