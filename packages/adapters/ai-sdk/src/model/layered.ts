import type { CallOptions, GenerateResult, Model, StreamResult } from "../types.js";

/** The functions by which a wrapped model answers. */
export interface Asking {
  generate(model: Model, params: CallOptions): PromiseLike<GenerateResult>;
  stream(model: Model, params: CallOptions): PromiseLike<StreamResult>;
}

const layered = new WeakMap<Model, Asking>();

/** The model, wrapped so that it is asked through `asking`; one that is wrapped so already is given back itself. */
export function layeredModel(model: Model, asking: Asking): Model {
  if (layered.get(model) === asking) return model;
  const wrapped: Model = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (params) => asking.generate(model, params),
    doStream: (params) => asking.stream(model, params),
  };
  layered.set(wrapped, asking);
  return wrapped;
}
