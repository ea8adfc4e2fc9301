import { describe, it } from "@jest/globals";
import { consoleLogger, logging, timing } from "@suite/logging";
import { describePlugin } from "@suite/testkit";

const logger = consoleLogger({ level: "debug", write: () => {} });
describePlugin("logging", { create: () => logging({ logger, content: "full" }) }, { describe, it });
describePlugin("timing", { create: () => timing() }, { describe, it });
