import { describe, it } from "@jest/globals";
import { approvalRequired, humanInTheLoop } from "@suite/approval";
import { describePlugin } from "@suite/testkit";

describePlugin("humanInTheLoop", { create: () => humanInTheLoop({ pay: { when: () => false } }) }, { describe, it });
describePlugin("approvalRequired", { create: () => approvalRequired({ when: () => false }) }, { describe, it });
