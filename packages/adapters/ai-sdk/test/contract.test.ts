import { afterAll, afterEach, beforeAll, describe, it } from "@jest/globals";
import { describeAdapter, useModelServer } from "@suite/testkit";
import { aiSubject, major } from "./subject.js";

const server = useModelServer({ beforeAll, afterEach, afterAll });

describeAdapter(`the AI SDK ${major}'s functions`, aiSubject(server, "functions"), { describe, it });
