/**
 * True if an error has a brand, which is a registered symbol. Works across duplicate copies of a package, unlike
 * `instanceof`, and for any thrown value.
 */
export function branded(error: unknown, brand: symbol): boolean {
  try {
    return typeof error === "object" && error !== null && brand in error;
  } catch {
    return false; // a revoked proxy: any value can be thrown
  }
}
