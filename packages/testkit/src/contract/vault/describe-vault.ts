import type { Awaitable } from "@suite/core";
import { expectEqual, expectThat, within } from "../expect.js";
import type { Runner } from "../runner.js";

/** The identity of a token, as `TokenId` of @suite/pii. */
export interface VaultToken {
  readonly label: string;
  readonly number: number;
  readonly tag: string;
}

/** A vault as the contract tests see it: `Vault` or `AsyncVault` of @suite/pii, which can forget a user. */
export interface VaultLike {
  id(session: string, label: string, value: string, user?: string): Awaitable<VaultToken>;
  value(session: string, id: VaultToken, user?: string): Awaitable<string | undefined>;
  erase(session: string, user?: string): Awaitable<void>;
  forgetUser(user: string): Awaitable<number>;
}

/** A vault under test. */
export interface VaultSubject {
  /** Opens the same vault once more, as another process would. */
  open(): Awaitable<VaultLike>;
  /** Closes a vault that `open` returned. */
  close?(vault: VaultLike): Awaitable<void>;
}

/** One promise of vaults. It rejects if the promise does not hold. */
export interface VaultScenario {
  readonly name: string;
  run(subject: VaultSubject): Promise<void>;
}

type Body = (one: VaultLike, other: VaultLike, name: (suffix: string) => string) => Promise<void>;

/** Creates a scenario. Each one has separate sessions and users. */
const scenario = (name: string, body: Body): VaultScenario => ({
  name,
  async run(subject) {
    const vaults = [await subject.open(), await subject.open()] as const;
    const prefix = `contract ${crypto.randomUUID()} `;
    try {
      await within(
        body(vaults[0], vaults[1], (suffix) => prefix + suffix),
        name,
        30_000,
      );
    } finally {
      for (const vault of vaults) await subject.close?.(vault);
    }
  },
});

const tagForm = /^[bcdfghjkmnpqrstvwxyz]{8}$/;
const many = 40;

/** The promises of every vault. */
export const vaultScenarios: readonly VaultScenario[] = [
  scenario("a value has one token in a session, whoever opened the vault", async (one, other, name) => {
    const first = await one.id(name("s"), "EMAIL", "a", name("ada"));
    expectThat(first.label === "EMAIL" && first.number > 0 && tagForm.test(first.tag), "the form of a token");
    expectEqual(await other.id(name("s"), "EMAIL", "a", name("ada")), first, "the token in another process");
    const second = await other.id(name("s"), "EMAIL", "b", name("ada"));
    const third = await one.id(name("s"), "PHONE", "a", name("ada"));
    expectThat(new Set([first, second, third].map((id) => JSON.stringify(id))).size === 3, "tokens of other values");
    expectEqual(await one.value(name("s"), second, name("ada")), "b", "the value");
    expectEqual(await other.value(name("s"), third, name("ada")), "a", "the value of another label");
  }),

  scenario("many who ask for a value at once get one token", async (one, other, name) => {
    const requestIds = (value: (index: number) => string) =>
      Promise.all(
        Array.from({ length: many }, async (_, index) =>
          (index % 2 ? one : other).id(name("s"), "EMAIL", value(index), name("ada")),
        ),
      );
    const same = await requestIds(() => "a");
    expectEqual(new Set(same.map((id) => JSON.stringify(id))).size, 1, "the tokens of one value");
    const different = await requestIds((index) => `v${index}`);
    expectEqual(new Set(different.map((id) => JSON.stringify(id))).size, many, "the tokens of many values");
    for (const [index, id] of different.entries()) {
      expectEqual(await other.value(name("s"), id, name("ada")), `v${index}`, "the value");
    }
  }),

  scenario("a value goes back to its session and its user alone", async (one, other, name) => {
    const id = await one.id(name("s"), "EMAIL", "a", name("ada"));
    await one.id(name("t"), "EMAIL", "x", name("ada"));
    await one.id(name("s"), "EMAIL", "y", name("bob"));
    const ofNoUser = await one.id(name("s"), "EMAIL", "z");
    for (const vault of [one, other]) {
      expectEqual(await vault.value(name("t"), id, name("ada")), undefined, "the value in another session");
      expectEqual(await vault.value(name("s"), id, name("bob")), undefined, "the value for another user");
      expectEqual(await vault.value(name("s"), id), undefined, "the value for no user");
      expectEqual(await vault.value(name("s"), ofNoUser, name("ada")), undefined, "the value of no user, for a user");
      expectEqual(await vault.value(name("s"), ofNoUser, ""), "z", "the value of no user");
      expectEqual(await vault.value(name("s"), { ...id, number: 99 }, name("ada")), undefined, "another number");
      expectEqual(await vault.value(name("s"), { ...id, label: "__proto__" }, name("ada")), undefined, "another label");
      expectEqual(await vault.value(name("never"), id, name("ada")), undefined, "a session that never was");
    }
  }),

  scenario("an erased session is gone for all its users and processes, and begins anew", async (one, other, name) => {
    const ids = [name("ada"), name("bob"), ""].map(
      async (user) => [user, await one.id(name("s"), "EMAIL", "a", user)] as const,
    );
    const ofOtherSession = await one.id(name("t"), "EMAIL", "a", name("ada"));
    const tokens = await Promise.all(ids);
    await other.erase(name("s"));
    await other.erase(name("never there"));
    for (const [user, id] of tokens) expectEqual(await one.value(name("s"), id, user), undefined, "an erased value");
    expectEqual(await one.value(name("t"), ofOtherSession, name("ada")), "a", "the value of another session");
    const again = await one.id(name("s"), "EMAIL", "b", name("ada"));
    for (const [user, id] of tokens) {
      expectThat(again.tag !== id.tag, "an erased session began again with the same tag");
      expectEqual(await one.value(name("s"), id, user), undefined, "an old token in the new session");
    }
  }),

  scenario("one user's values in a session are erased without the others'", async (one, other, name) => {
    const ada = await one.id(name("s"), "EMAIL", "a", name("ada"));
    const bob = await one.id(name("s"), "EMAIL", "b", name("bob"));
    await other.erase(name("s"), name("ada"));
    expectEqual(await one.value(name("s"), ada, name("ada")), undefined, "the erased value");
    expectEqual(await one.value(name("s"), bob, name("bob")), "b", "the value of the other user");
  }),

  scenario("an erased user is gone in all sessions and processes, and nobody else is", async (one, other, name) => {
    const first = await one.id(name("s"), "EMAIL", "a", name("ada"));
    const second = await other.id(name("t"), "EMAIL", "a", name("ada"));
    const bob = await one.id(name("s"), "EMAIL", "b", name("bob"));
    expectEqual(await other.forgetUser(name("ada")), 2, "the number of sessions");
    for (const vault of [one, other]) {
      expectEqual(await vault.value(name("s"), first, name("ada")), undefined, "an erased value");
      expectEqual(await vault.value(name("t"), second, name("ada")), undefined, "an erased value elsewhere");
      expectEqual(await vault.value(name("s"), bob, name("bob")), "b", "the value of another user");
    }
    expectEqual(await one.forgetUser(name("ada")), 0, "the number of sessions the second time");
    expectEqual(await one.forgetUser(""), 0, "the number of sessions of no user");
    expectThat((await one.id(name("s"), "EMAIL", "a", name("ada"))).tag !== first.tag, "the same tag after all");
  }),

  scenario("names and values may be any string", async (one, other, name) => {
    const strange = ["", "a b", "__proto__", "constructor", "run:1", "\0", "\ud800", "ä".repeat(5000), '["x","y"]'];
    const seen = new Set<string>();
    for (const each of strange) {
      const session = name(each);
      const id = await one.id(session, "EMAIL", each, name(each));
      expectEqual(await other.value(session, id, name(each)), each, `the value ${JSON.stringify(each.slice(0, 20))}`);
      seen.add(id.tag);
    }
    expectEqual(seen.size, strange.length, "the number of tags");
  }),
];

/**
 * The contract tests of one vault for @suite/pii.
 *
 * @example
 * ```ts
 * const vault = memoryVault();
 * describeVault("memoryVault", { open: () => vault }, { describe, it });
 * ```
 */
export function describeVault(name: string, subject: VaultSubject, { describe, it }: Runner): void {
  describe(`${name} keeps the contract of vaults`, () => {
    for (const each of vaultScenarios) it(each.name, () => each.run(subject));
  });
}
