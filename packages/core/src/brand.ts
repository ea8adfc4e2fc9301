/** A test that holds across duplicated copies of this package, where `instanceof` does not. */
export const branded = (error: unknown, brand: symbol): boolean =>
  typeof error === "object" && error !== null && brand in error;
