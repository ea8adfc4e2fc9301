import { describe, it } from "@jest/globals";
import { retryModel } from "@suite/resilience";
import { describePlugin } from "@suite/testkit";

describePlugin("retryModel", { create: () => retryModel({ initialDelay: 0 }) }, { describe, it });
