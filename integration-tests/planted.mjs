// Personal data that nobody may find in telemetry: one value of each kind.

/** Planted values by type of `@suite/pii`. The address is one of this machine, so that it can be connected to in vain. */
export const planted = {
  email: "canary.jane@leak.example",
  credit_card: "4111 1111 1111 1111",
  ip: "127.77.66.55",
  mac: "00:1A:2B:3C:4D:5E",
  url: "https://leak.example/canary?user=7",
  phone: "+1 415-555-2671",
  us_ssn: "536-22-8471",
  iban: "DE89 3704 0044 0532 0130 00",
  crypto: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  secret: "AKIAQ4VZ7KPLTM3XWNRD",
};
export const everything = Object.values(planted).join(" and ");

/** A card as a number, as databases and programs have it. */
export const cardNumber = Number(planted.credit_card.replaceAll(" ", ""));

/**
 * The spellings by which somebody who looks for a value would know it, in lower case: as it is, and as addresses spell it.
 *
 * @param {string} value
 */
export function forms(value) {
  const form = new URLSearchParams({ v: value }).toString().slice("v=".length);
  const compact = value.replaceAll(" ", "");
  const all = [value, encodeURI(value), encodeURIComponent(value), form, compact, encodeURIComponent(compact)];
  return [...new Set(all.map((each) => each.toLowerCase()))];
}
