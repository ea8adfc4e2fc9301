import { groups } from "./groups.mjs";

/** @typedef {import("./groups.mjs").Group & { versions: Record<string, string> }} Round One group with one version of each peer. */

/**
 * Returns the rounds of all groups. The first one of a group has the oldest versions, the last one the newest.
 * @param {import("./table.mjs").Versions} all
 * @returns {Round[]}
 */
export function roundsOf(all) {
  return groups.flatMap((group) => {
    const lists = group.peers.map((peer) => {
      const owner = group.packages.find((name) => all[name]?.[peer] !== undefined) ?? "";
      return [peer, Object.values(all[owner]?.[peer] ?? {}).flat()];
    });
    const count = Math.max(...lists.map(([, versions]) => versions?.length ?? 0));
    return Array.from({ length: count }, (_, round) => {
      const share = count === 1 ? 0 : round / (count - 1);
      const pick = (/** @type {string[]} */ versions) => versions[Math.floor(share * (versions.length - 1))] ?? "";
      const versions = Object.fromEntries(lists.map(([peer, list]) => [peer, pick(/** @type {string[]} */ (list))]));
      return { ...group, versions };
    });
  });
}
