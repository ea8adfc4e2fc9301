// What every runtime is asked: a streamed model call through two layers. Plain JavaScript, no import: a browser runs it too.

/** The result that `probe` gives where all is well. */
export const expected = {
  text: "HELLO, WORLD!",
  order: ["outer", "inner", "settled completed"],
  code: "ERR_INVALID_PLUGIN",
};

/** @param {typeof import("@suite/core") & typeof import("@suite/core/adapter")} core */
export async function probe(core) {
  /** @type {string[]} */
  const order = [];
  const stack = new core.PluginStack([
    {
      name: "outer",
      async model(invocation, callNext) {
        order.push("outer");
        await callNext();
        invocation.pipe({ settle: ({ status }) => void order.push(`settled ${status}`) });
      },
    },
    {
      name: "inner",
      async model(invocation, callNext) {
        order.push("inner");
        await callNext();
        invocation.pipe({ chunk: (delta, emit) => emit(upperCase(delta)) });
      },
    },
  ]);
  const run = stack.begin();
  const request = { model: "none", messages: [core.message("user", "Hello?")], tools: [] };
  const outcome = await stack.call("model", run, request, async (invocation) => {
    invocation.respond({ stream: greeting() });
  });
  const { message } = await outcome.final();
  await run.end();
  return { text: core.textOf(message), order, code: codeOfBadPlugin(core) };
}

async function* greeting() {
  for (const content of ["Hello, ", "world", "!"]) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield/** @type {const} */ ({ type: "part", at: "0", part: { type: "text", content } });
  }
}

/** @param {import("@suite/core").Delta} delta @returns {import("@suite/core").Delta} */
function upperCase(delta) {
  if (delta.type !== "part" || delta.part.type !== "text") return delta;
  return { ...delta, part: { ...delta.part, content: delta.part.content.toUpperCase() } };
}

/** @param {typeof import("@suite/core") & typeof import("@suite/core/adapter")} core */
function codeOfBadPlugin({ CoreError, PluginStack }) {
  try {
    new PluginStack([/** @type {any} */ ({})]);
  } catch (error) {
    return error instanceof CoreError ? error.code : "not an error of core";
  }
  return "no error";
}
