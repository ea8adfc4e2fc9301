/**
 * Whether an error has a brand, a symbol of the registry. It holds across duplicated copies of a package, where
 * `instanceof` does not, and for anything that can be thrown.
 */
export function branded(error: unknown, brand: symbol): boolean {
  try {
    return typeof error === "object" && error !== null && brand in error;
  } catch {
    return false; // a revoked proxy: anything can be thrown
  }
}
