import { isRecord } from "@suite/kit";

/** The parameters of a request, or a result: JSON. */
export type Params = Readonly<Record<string, unknown>>;

/** Returns the metadata of a request. */
export const metaOf = ({ _meta }: Params): Params => (isRecord(_meta) ? _meta : {});
