/** Synthetic input for the search for personal data, the same in every run. */
import { type Random, seeded } from "./random.js";

/** Characters of each text. */
export const LENGTH = 2000;

const words =
  `a about after again all and any around as ask at back be because before began boat bread bridge brought but by call
  came city close cold could day did door down early evening every far field find first for friend from garden gave go good
  great green had half hand he heard help her here high hill his home hour house how in it just keep kitchen knew know last late
  leave letter light like little long look made many market may milk moment more morning most much never new next night no not
  nothing now of off often old on once one only open or other our out over own paper part people place quiet rain read ready
  right river road room round said sea see seemed send she short should show side simple small so some soon spring stay still
  stone story street such summer table take talk than that the their them then there these they thing think this those though
  through time to told too town train tree under until up very voice wait walk wanted warm was water way we well went were what
  when where which while white who why will wind window winter with without word work would year yet young`.split(
    /\s+/,
  );

/** The parts of prose besides words, and what might be the beginning of something: none of it is personal data. */
const asides = ["in 1998", "at 10:30", "12 of them", "no. 7", "3.5 miles", "(so they said)", "well-known", '"not yet"'];

/** One value of each of the five types that all detectors support, as written in documentation. */
const values = [
  "jane.doe@example.com",
  "4111 1111 1111 1111",
  "192.168.12.7",
  "00:1a:2b:3c:4d:5e",
  "https://www.example.org/orders/1001?page=2",
];

/** The fields of a record that are not prose. */
const fields = ["status", "shipping_method", "created", "warehouse", "priority"];

const oneOf = (items: readonly string[], random: Random): string => items[random(items.length)] ?? "";

function sentence(random: Random): string {
  const chosenWords = Array.from({ length: 6 + random(12) }, () => oneOf(words, random) + (random(9) === 0 ? "," : ""));
  if (random(4) === 0) chosenWords.splice(random(chosenWords.length), 0, oneOf(asides, random));
  const [first = "", ...rest] = chosenWords;
  return `${[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(" ").replace(/,$/, "")}. `;
}

/** Prose without personal data. */
export function prose(seed: number, length = LENGTH): string {
  const random = seeded(seed);
  let text = "";
  while (text.length < length) text += sentence(random);
  return text.slice(0, length);
}

/** The prose with a value every 300 characters. */
export function dense(seed: number): string {
  const random = seeded(seed);
  const clean = prose(seed);
  let text = "";
  for (let at = 0, next = random(values.length); at < clean.length; at += 300, next++) {
    text += `${clean.slice(at, at + 260)} ${values[next % values.length] ?? ""} `;
  }
  return text.slice(0, LENGTH);
}

/** Returns the records of a tool result as JSON: about as long as the prose, with a value in every other record. */
export function records(seed: number): unknown {
  const random = seeded(seed);
  const orders = [];
  for (let id = 1000; JSON.stringify(orders).length < LENGTH - 200; id++) {
    const facts = Object.fromEntries(fields.map((field) => [field, oneOf(words, random)]));
    const customer = id % 2 === 0 ? oneOf(values, random) : oneOf(words, random);
    orders.push({ id, ...facts, total: random(9000) / 100, open: id % 3 === 0, customer, comment: sentence(random) });
  }
  return { orders };
}
