import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { undo } from "@suite/resilience";
import type { SharedServer } from "./limits-over-processes.js";

/** Describes what is undone of a process that was killed, by others that share a store with it. */
export function describeUndoOverProcesses(name: string, open: () => SharedServer): void {
  describe(`a run whose process was killed, on ${name}`, () => {
    it("is undone by others, each call once and the last first; of the one that it was killed in nobody knows", async () => {
      const { address, store } = open();
      const program = join(import.meta.dirname, "../fixtures/stores/booker.mjs");
      const said = await new Promise<string>((resolve) => {
        execFile(process.execPath, [program, JSON.stringify(address)], (_killed, stdout) => resolve(stdout));
      });
      const [runId = "", ...booked] = said.trim().split("\n");
      expect(booked).toEqual(["1", "2", "3"]);
      const undone: unknown[] = [];
      const others = [1, 2, 3].map(() => undo({ store, tools: { book: (_, result) => void undone.push(result) } }));
      const results = await Promise.all(others.map((other) => other.recover(runId)));
      expect(undone).toEqual([{ booked: "2" }, { booked: "1" }]);
      for (const each of results)
        expect(each.find(({ toolCallId }) => toolCallId === "3")).toMatchObject({ outcome: "unknown" });
      const outcomes = results.flat().filter(({ outcome }) => outcome === "undone");
      expect(outcomes.map(({ toolCallId }) => toolCallId).sort()).toEqual(["1", "2"]);
    });
  });
}
