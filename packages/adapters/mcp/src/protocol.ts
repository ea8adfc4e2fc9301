/** The parameters of a request, or a result: JSON. */
export type Params = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the metadata of a request. */
export const metaOf = ({ _meta }: Params): Params => (isRecord(_meta) ? _meta : {});
