import { describe, it } from "@jest/globals";
import { describePlugin } from "@suite/testkit";
import { fileSearch } from "@suite/tools/node";

describePlugin("fileSearch", { create: () => fileSearch({ root: "/" }) }, { describe, it });
