import { randomBytes } from "node:crypto";
import type { StateStore } from "@suite/core";
import { storeVault } from "@suite/pii/node";
import type { StoreSubject, VaultLike, VaultSubject } from "@suite/testkit";

/** A vault on the stores of a subject, each opened as by another process. */
export function vaultOn(stores: StoreSubject): VaultSubject {
  const key = randomBytes(32);
  const opened = new Map<VaultLike, StateStore>();
  return {
    async open() {
      const store = await stores.open();
      const vault = storeVault({ store, key });
      opened.set(vault, store);
      return vault;
    },
    close: async (vault) => stores.close?.(opened.get(vault) as StateStore),
  };
}
