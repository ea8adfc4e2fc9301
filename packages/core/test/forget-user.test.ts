import { describe, expect, it } from "@jest/globals";
import type { Notification, Plugin } from "@suite/core";
import type { MemoryRequest } from "@suite/core/contract";
import { forgetUser } from "@suite/core/forget";

const notes = (count: number | undefined, log: string[] = []): Plugin => ({
  name: "notes",
  forgetUser: (user) => {
    log.push(user);
    return count;
  },
});
const broken: Plugin = { name: "broken", forgetUser: () => Promise.reject(new Error("down")) };

describe("forgetUser", () => {
  it("asks each plugin that keeps data of users, goes on if one fails, and reports all", async () => {
    const log: string[] = [];
    const plugins: Plugin[] = [{ name: "none" }, broken, notes(3, log), { ...notes(undefined, log), name: "more" }];
    const report = await forgetUser("ada", plugins);
    expect(report).toMatchObject({
      complete: false,
      plugins: [{ plugin: "broken", error: new Error("down") }, { plugin: "notes", count: 3 }, { plugin: "more" }],
    });
    expect(report.notReached.join()).toMatch(/backends.*providers.*backups/);
    expect(log).toEqual(["ada", "ada"]);
    expect((await forgetUser("ada", [notes(0)])).complete).toBe(true);
  });

  it("is one call through the memory layers, and its decisions do not name the user", async () => {
    const told: Notification[] = [];
    const seen: unknown[] = [];
    const watch: Plugin = {
      name: "watch",
      begin: ({ userId }) => void seen.push(userId),
      memory: async ({ request }, callNext) => {
        seen.push(request);
        await callNext();
      },
      observe: (each) => void told.push(each),
    };
    await forgetUser("ada", [watch, broken, notes(2)], { reference: "request 17" });
    const request: MemoryRequest = { operation: "delete_memory", store: "user data" };
    expect(seen).toEqual([undefined, request]);
    expect(told).toMatchObject([
      { type: "decision", plugin: "broken", decision: "not_forgotten", details: { reference: "request 17" } },
      { type: "decision", plugin: "notes", decision: "forgotten", details: { count: 2, reference: "request 17" } },
    ]);
    expect(JSON.stringify(told)).not.toContain("ada");
  });

  it("erases nothing if a layer refuses it", async () => {
    const log: string[] = [];
    const refuses: Plugin = { name: "policy", memory: () => Promise.reject(new Error("refused")) };
    await expect(forgetUser("ada", [refuses, notes(1, log)])).rejects.toThrow("refused");
    expect(log).toEqual([]);
  });

  it("refuses an empty user", async () => {
    for (const user of ["", undefined]) {
      await expect(forgetUser(user as string, [notes(1)])).rejects.toMatchObject({ code: "ERR_INVALID_OPTION" });
    }
  });
});
