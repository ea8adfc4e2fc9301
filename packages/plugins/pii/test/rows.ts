import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { composeIBAN } from "ibantools";
import luhn from "luhn";
import type { recognisers } from "../src/recognisers/registry.js";
import { seeded } from "./draw.js";

type Type = (typeof recognisers)[number]["type"];

/** A column of a table: its name, the type of its values (none: nothing that anyone is known by), and how one is made. */
export interface Column {
  readonly name: string;
  readonly type: Type | undefined;
  readonly make: (random: Random, row: number) => string;
}

/** One value of a row. */
export interface Cell {
  readonly name: string;
  readonly type: Type | undefined;
  readonly value: string;
}

class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("Nothing to choose from.");
    return item;
  }

  between(first: number, last: number): number {
    return first + this.below(last - first + 1);
  }

  /** A text of so many characters of an alphabet. */
  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join("");
  }

  digits(length: number): string {
    return this.text(length, "0123456789");
  }

  hex(length: number): string {
    return this.text(length, "0123456789abcdef");
  }

  shuffled<T>(items: readonly T[]): readonly T[] {
    return items
      .map((item) => ({ item, lot: this.#next() }))
      .sort((a, b) => a.lot - b.lot)
      .map(({ item }) => item);
  }
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const alphanumeric = `${lower}${lower.toUpperCase()}0123456789`;
const base58check = createBase58check(sha256);

const names = ["jane", "omar.diaz", "li_wei", "anna-maria", "k.okafor", "tom+news"];
const hosts = ["example.com", "mail.example.org", "example.co.uk", "shop-7.example.net"];

function card(random: Random): string {
  const [prefix, length] = random.of([
    ["4", 16],
    ["51", 16],
    ["55", 16],
    ["2223", 16],
    ["37", 15],
    ["34", 15],
    ["6011", 16],
  ] as const);
  const rest = prefix + random.digits(length - prefix.length - 1);
  return [..."0123456789"].map((check) => rest + check).find((number) => luhn.validate(number)) ?? rest;
}

/** An area code or exchange of North America. */
const area = (random: Random): string => `${random.between(2, 9)}${random.digits(2)}`;

function phone(random: Random): string {
  const [first, second, line] = [area(random), area(random), random.digits(4)];
  return random.of([
    `+1 ${first} ${second} ${line}`,
    `+1${first}${second}${line}`,
    `(${first}) ${second}-${line}`,
    `${first}-${second}-${line}`,
    `+49 30 ${random.between(1, 9)}${random.digits(6)}`,
    `+44 20 7946 ${random.digits(4)}`,
    `+33 6 12 ${random.digits(2)} ${random.digits(2)} ${random.digits(2)}`,
  ]);
}

function ssn(random: Random): string {
  return `${random.between(100, 665)}-${random.between(10, 99)}-${random.between(1000, 9999)}`;
}

function ip(random: Random): string {
  const four = [random.between(1, 223), random.below(256), random.below(256), random.between(1, 254)].join(".");
  return random.of([four, `2001:db8:${random.hex(4)}::${random.between(1, 9)}${random.hex(3)}`]);
}

function iban(random: Random): string {
  const [countryCode, bban] = random.of([
    ["DE", random.digits(18)],
    ["NL", `ABNA${random.digits(10)}`],
    ["BE", ""],
  ] as const);
  const first = random.between(100, 999) * 10_000_000 + random.between(0, 9_999_999);
  const belgian = `${first}${String(first % 97 || 97).padStart(2, "0")}`;
  return composeIBAN({ countryCode, bban: bban === "" ? belgian : bban }) ?? "DE75512108001245126199";
}

function wallet(random: Random): string {
  const bytes = Uint8Array.from({ length: 21 }, (_, index) => (index === 0 ? 0 : random.below(256)));
  return random.of([`0x${random.hex(40)}`, base58check.encode(bytes)]);
}

const token = (random: Random): string =>
  random.of([
    () => `ghp_${random.text(36, alphanumeric)}`,
    () => `sk_live_${random.text(24, alphanumeric)}`,
    () => `AKIA${random.text(16, `${lower.toUpperCase()}234567`)}`,
    () => `xoxb-${random.digits(12)}-${random.digits(12)}-${random.text(24, alphanumeric)}`,
  ])();

const timestamp = (random: Random): Date =>
  new Date(
    Date.UTC(
      random.between(2005, 2030),
      random.below(12),
      random.between(1, 28),
      random.below(24),
      0,
      random.below(60),
    ),
  );

/** Every built-in type once. */
export const sensitive: readonly Column[] = [
  { name: "email", type: "email", make: (random) => `${random.of(names)}${random.below(100)}@${random.of(hosts)}` },
  { name: "card", type: "credit_card", make: card },
  { name: "ip", type: "ip", make: ip },
  { name: "mac", type: "mac", make: (random) => `02${Array.from({ length: 5 }, () => `:${random.hex(2)}`).join("")}` },
  {
    name: "website",
    type: "url",
    make: (random) => `https://www.${random.of(hosts)}/p/${random.text(6, alphanumeric)}`,
  },
  { name: "phone", type: "phone", make: phone },
  { name: "ssn", type: "us_ssn", make: ssn },
  { name: "iban", type: "iban", make: iban },
  { name: "wallet", type: "crypto", make: wallet },
  { name: "token", type: "secret", make: token },
];

/** Columns that stand beside them and hold no personal data. */
const harmless: readonly Column[] = [
  { name: "order_no", type: undefined, make: (random) => `${random.between(1, 9)}${random.digits(9)}` },
  { name: "version", type: undefined, make: (random) => `${random.below(9)}.${random.below(30)}.${random.below(30)}` },
  { name: "created_at", type: undefined, make: (random) => timestamp(random).toISOString() },
  { name: "updated", type: undefined, make: (random) => String(timestamp(random).getTime()) },
  { name: "day", type: undefined, make: (random) => timestamp(random).toISOString().slice(0, 10) },
  { name: "total", type: undefined, make: (random) => `${random.below(5000)}.${random.digits(2)}` },
  { name: "latitude", type: undefined, make: (random) => `-${random.below(90)}.${random.digits(8)}` },
  { name: "quantity", type: undefined, make: (random) => String(random.below(1000)) },
  {
    name: "request",
    type: undefined,
    make: (random) => [8, 4, 4, 4, 12].map((length) => random.hex(length)).join("-"),
  },
  { name: "commit", type: undefined, make: (random) => random.hex(40) },
  { name: "sku", type: undefined, make: (random) => `AB-${random.digits(5)}` },
  { name: "status", type: undefined, make: (random) => random.of(["shipped", "paid", "on hold", "new"]) },
];

/** Rows of all columns, in an order that changes every 40 rows, the same for a seed. The first cell is the row's number. */
export function rows(seed: number, count: number, columns: readonly Column[] = [...sensitive, ...harmless]): Cell[][] {
  const random = new Random(seed);
  let order = columns;
  return Array.from({ length: count }, (_, row) => {
    if (row % 40 === 0) order = random.shuffled(columns);
    const cells = order.map(({ name, type, make }) => ({ name, type, value: make(random, row) }));
    return [{ name: "id", type: undefined, value: String(row + 1) }, ...cells];
  });
}
