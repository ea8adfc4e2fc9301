import { describe, it, jest } from "@jest/globals";
import { describeAdapter } from "@suite/testkit";
import { langchainSubject } from "./subject.js";
import { useServer } from "./support.js";

// That compression has no place here.
jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();

describeAdapter(
  "LangChain 1",
  langchainSubject(() => world.server),
  { describe, it },
);
