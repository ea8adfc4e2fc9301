// What a tool does that asks web servers, with planted data wherever a request and its answer have room.
import { context, propagation } from "@opentelemetry/api";
import { everything, planted } from "../planted.mjs";

/** The headers that the instrumentation is to record. */
export const headers = ["x-canary", "baggage", "location", "referer"];

/** @param {Promise<Response>} response */
const read = (response) => response.then((each) => each.text());

/** @param {string} shop an address of a web server */
export async function browse(shop) {
  for (const value of Object.values(planted)) {
    const encoded = encodeURIComponent(value);
    const sent = { "x-canary": value, "user-agent": `agent of ${value}`, referer: `${shop}/of/${encoded}` };
    await read(fetch(`${shop}/of/${encoded}/orders?who=${encoded}&then=/${encoded}#${encoded}`, { headers: sent }));
    await read(fetch(`${shop}/of/${value}?who=${value}&${new URLSearchParams({ who: value })}`, { headers: sent }));
  }
  await read(fetch(`${shop}/redirect?to=${encodeURIComponent(planted.url)}`, { redirect: "manual" }));
  await read(fetch(`${shop}/500?${new URLSearchParams({ everything })}`));
  const { port } = new URL(shop);
  await failing(() => fetch(`${shop}/broken?${new URLSearchParams({ everything })}`));
  // Nobody listens there, or there is no such address: the error names it.
  await failing(() => fetch(`http://${planted.ip}:${port}/`, { signal: AbortSignal.timeout(1000) }));
  const baggage = propagation.createBaggage({ who: { value: everything }, [planted.secret]: { value: "x" } });
  await context.with(propagation.setBaggage(context.active(), baggage), () => read(fetch(`${shop}/baggage`)));
}

/** Refused by `fetch`, with the address in its message. @param {string} shop */
export const browseWithPassword = (shop) =>
  fetch(shop.replace("//", `//${encodeURIComponent(planted.email)}:${planted.secret}@`));

/** @param {() => Promise<unknown>} act */
async function failing(act) {
  const failed = await act().then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error("that was to fail");
}
