import { ModernFakeTimers } from "@jest/fake-timers";
import { ModuleMocker } from "jest-mock";

/**
 * The process itself. Whatever a test file leaves behind is taken back after it: variables of the environment, the folder,
 * the exit code, listeners, and replaced globals. Names that are new stay: modules keep there what they share.
 */
export default class Environment {
  global = globalThis;
  fakeTimers = null;
  #forget = remember();

  /** @param {{ projectConfig: ConstructorParameters<typeof ModernFakeTimers>[0]["config"] }} config */
  constructor({ projectConfig }) {
    this.moduleMocker = new ModuleMocker(this.global);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: this.global });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.#forget();
  }

  /** There is none. */
  getVmContext() {
    return null;
  }
}

/** The process as it is: gives what makes it so again. */
function remember() {
  const properties = [globalThis, process].map((place) => ({ place, was: Object.getOwnPropertyDescriptors(place) }));
  const env = { ...process.env };
  const { exitCode } = process;
  const folder = process.cwd();
  const listeners = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
  return () => {
    for (const { place, was } of properties) {
      for (const name of Reflect.ownKeys(was)) {
        // The process's listeners, and their number, are taken back by its methods below.
        if (String(name).startsWith("_")) continue;
        const now = Object.getOwnPropertyDescriptor(place, name);
        const then = Reflect.get(was, name);
        if (now?.configurable === false || (now && Object.is(now.value, then.value) && now.get === then.get)) continue;
        Object.defineProperty(place, name, then);
      }
    }
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
    Object.assign(process.env, env);
    process.exitCode = exitCode;
    if (process.cwd() !== folder) process.chdir(folder);
    for (const event of new Set([...process.eventNames(), ...listeners.keys()])) {
      const [now, then = []] = [process.rawListeners(event), listeners.get(event)];
      for (const each of now) if (!then.includes(each)) process.removeListener(event, /** @type {() => void} */ (each));
      for (const each of then) if (!now.includes(each)) process.on(event, /** @type {() => void} */ (each));
    }
  };
}
