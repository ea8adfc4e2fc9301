// The repository's scripts are JavaScript that is checked with the tests. These are the types of the functions that the
// bench calls.

declare module "*/scripts/needs.mjs" {
  export function onPath(names: readonly string[]): string[];
}
declare module "*/scripts/free-port.mjs" {
  export function freePort(): Promise<number>;
}
declare module "*/scripts/collector.mjs" {
  export const collector: { readonly title: string };
}
declare module "*/scripts/programs.mjs" {
  export function find(recipe: { readonly title: string }): { readonly program: string } | { readonly missing: string };
}
declare module "*/scripts/random.mjs" {
  export function randomIntegers(seed: number): (below: number) => number;
}
