import { promiseHooks } from "node:v8";

/** The number of promises that `work` makes, once it has been done before. */
export async function promisesOf(work: () => Promise<unknown>): Promise<number> {
  await work();
  let made = 0;
  const stop = promiseHooks.onInit(() => {
    made++;
  }) as () => void;
  await work();
  stop();
  return made;
}
