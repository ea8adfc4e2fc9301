import { createRequire, register } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compiled } from "./sources.mjs";

/** Jest takes the default export only of what says that it has one. */
export const __esModule = true;

register("./hooks.mjs", import.meta.url);

const require = createRequire(import.meta.url);
/** @type {typeof import("jest-runtime")} */
const { default: JestRuntime } = require("jest-runtime");

/** The source map of each module, by its URL: one map for all test files, so that what was read for one stack is there for the next. */
class SourceMaps extends Map {
  /** @override @param {string} url @returns {string} */
  get(url) {
    const [file = ""] = url.split("?");
    const typed = file.startsWith("file:") && file.endsWith(".ts") && !file.includes("/node_modules/");
    if (!this.has(url)) this.set(url, typed ? compiled(fileURLToPath(file)).map : "");
    return super.get(url);
  }
}
const sourceMaps = new SourceMaps();

/** Jest's globals for the file that is running. @type {() => typeof import("@jest/globals")} */
export let globals = () => {
  throw new Error("No test file is running.");
};

let files = 0;

/** @type {ReturnType<typeof loadFramework> | undefined} */
let framework;

/**
 * The part of Jest that runs the tests of a file, as it is before the first of them. Loaded anew for each file it would do as well,
 * but leaves an AsyncLocalStorage behind each time, and with dozens of these every promise is slow.
 *
 * @param {string} path
 */
function loadFramework(path) {
  const adapter = require(path);
  const state = Object.getOwnPropertySymbols(globalThis).find((each) => each.description === "JEST_STATE_SYMBOL");
  if (state === undefined) throw new Error("jest-circus keeps its state elsewhere now: see scripts/jest/runtime.mjs.");
  /** @type {unknown[]} */
  const handlers = Reflect.get(globalThis, Symbol.for("EVENT_HANDLERS"));
  const own = handlers.length;
  // Its public copy makes the state, and has one of its own: so it is loaded after.
  /** @type {typeof import("jest-circus")} */
  const { resetState, getState } = require("jest-circus");
  return () => {
    resetState();
    Reflect.set(globalThis, state, getState());
    handlers.length = own;
    return adapter;
  };
}

/**
 * Runs test files in the process's own context, where Node loads modules: those of packages once, and compiled to machine code
 * where they are hot. Jest's own runtime loads, links and warms up all of them anew for each file, in a context of its own.
 */
export default class Runtime extends JestRuntime {
  /** @override */
  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** @override @param {string} path */
  async unstable_importModule(path) {
    const own = /** @type {typeof import("@jest/globals")} */ (this.requireModuleOrMock(path, "@jest/globals"));
    globals = () => own;
    return import(`${pathToFileURL(path).href}?file=${++files}`);
  }

  /** @override @template T @param {string} path @returns {T} */
  requireInternalModule(path) {
    framework ??= loadFramework(path);
    return framework();
  }

  /** @override */
  getSourceMaps() {
    return sourceMaps;
  }
}
