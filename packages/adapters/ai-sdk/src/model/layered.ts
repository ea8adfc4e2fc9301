import type { CallOptions, GenerateResult, Model, StreamResult } from "../types.js";

/** The functions by which a wrapped model answers. */
export interface Asking {
  generate(model: Model, params: CallOptions): PromiseLike<GenerateResult>;
  stream(model: Model, params: CallOptions): PromiseLike<StreamResult>;
}

/** A model that is asked through `asking`. */
class LayeredModel {
  readonly specificationVersion: Model["specificationVersion"];
  readonly provider: string;
  readonly modelId: string;
  readonly doGenerate: (params: CallOptions) => PromiseLike<GenerateResult>;
  readonly doStream: (params: CallOptions) => PromiseLike<StreamResult>;
  readonly #asking: Asking;

  constructor(model: Model, asking: Asking) {
    this.#asking = asking;
    this.specificationVersion = model.specificationVersion;
    this.provider = model.provider;
    this.modelId = model.modelId;
    this.doGenerate = (params) => asking.generate(model, params);
    this.doStream = (params) => asking.stream(model, params);
    // A field of its own, as of the model itself: a copy by spread has it.
    Object.defineProperty(this, "supportedUrls", {
      get: () => model.supportedUrls,
      enumerable: true,
      configurable: true,
    });
  }

  /** Whether a model is wrapped so by this `asking`. */
  static asks(model: object, asking: Asking): boolean {
    return #asking in model && model.#asking === asking;
  }
}

/** The model, wrapped so that it is asked through `asking`; one that is wrapped so already is given back itself. */
export const layeredModel = (model: Model, asking: Asking): Model =>
  LayeredModel.asks(model, asking) ? model : (new LayeredModel(model, asking) as object as Model);
