import type { Awaitable } from "../contract/protocol.js";
import type { RuntimeContext } from "../contract/runtime.js";

/** A run as far as background work needs it. */
interface OwnRun extends RuntimeContext {
  failed(error: unknown): void;
  fault(where: string, error: unknown): void;
  end(): Promise<void>;
}

/** Does work in a run that is begun for it and ends with it. Never rejects: what fails is a fault of that run, or else of the one before. */
export async function inBackground(
  before: OwnRun,
  begin: () => OwnRun,
  work: (runtime: RuntimeContext) => Awaitable<unknown>,
): Promise<void> {
  let run: OwnRun | undefined;
  try {
    run = begin();
    await work(run);
  } catch (error) {
    run?.failed(error);
    (run ?? before).fault("background", error);
  }
  await run?.end();
}
