import { expect, it } from "@jest/globals";
import Environment from "../../scripts/jest/environment.mjs";

const listeners = () => new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));

it("removes the files that a test file leaves, and no others", async () => {
  const { fetch } = globalThis;
  const { exitCode } = process;
  const before = { env: { ...process.env }, folder: process.cwd(), listeners: listeners() };
  const environment = new Environment({ projectConfig: {} as never });
  const left = () => {};
  for (const event of ["uncaughtException", "unhandledRejection", "warning"]) process.removeAllListeners(event);
  process.on("uncaughtException", left);
  for (let index = 0; index < 20; index++) process.on(`left behind ${index}`, left);
  process.env.LEFT_BEHIND = "1";
  delete process.env.PATH;
  process.exitCode = 3;
  process.chdir("/");
  globalThis.fetch = async () => new Response();
  await environment.teardown();
  expect({ env: { ...process.env }, folder: process.cwd(), listeners: listeners() }).toEqual(before);
  expect([globalThis.fetch, process.exitCode]).toEqual([fetch, exitCode]);
  // The process knows how many there are: it forgets all when it believes that none is left.
  process.on("SIGUSR2", left).removeListener("SIGUSR2", left);
  expect(listeners()).toEqual(before.listeners);
});
