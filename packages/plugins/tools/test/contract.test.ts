import { describe, it } from "@jest/globals";
import { describePlugin } from "@suite/testkit";
import { fileSearch, shell } from "@suite/tools/node";

describePlugin("fileSearch", { create: () => fileSearch({ root: "/" }) }, { describe, it });
describePlugin("shell", { create: () => shell({ policy: "host" }) }, { describe, it });
