import type { CallOptions, GenerateResult, Model, StreamResult } from "../framework.js";

/** The functions by which a wrapped model answers. */
export interface ModelCalls {
  generate(model: Model, params: CallOptions): PromiseLike<GenerateResult>;
  stream(model: Model, params: CallOptions): PromiseLike<StreamResult>;
}

/** The key of the model that a wrapped one asks. */
const inner: unique symbol = Symbol("model");

/**
 * The property of a wrapped model that is a field of its own, as of the model itself: a copy by spread has it. One getter for
 * all: an object with one of its own has a shape of its own, and the framework's code would meet a new one with each call.
 */
const supportedUrls: PropertyDescriptor & ThisType<LayeredModel> = {
  get() {
    return this[inner].supportedUrls;
  },
  enumerable: true,
  configurable: true,
};

/** A model that is asked through `calls`. */
class LayeredModel {
  readonly specificationVersion: Model["specificationVersion"];
  readonly provider: string;
  readonly modelId: string;
  readonly doGenerate: (params: CallOptions) => PromiseLike<GenerateResult>;
  readonly doStream: (params: CallOptions) => PromiseLike<StreamResult>;
  readonly [inner]: Model;
  readonly #calls: ModelCalls;

  constructor(model: Model, calls: ModelCalls) {
    this[inner] = model;
    this.#calls = calls;
    this.specificationVersion = model.specificationVersion;
    this.provider = model.provider;
    this.modelId = model.modelId;
    this.doGenerate = (params) => calls.generate(model, params);
    this.doStream = (params) => calls.stream(model, params);
    Object.defineProperty(this, "supportedUrls", supportedUrls);
  }

  /** Whether a model is wrapped so by this `calls`. */
  static goesThrough(model: object, calls: ModelCalls): boolean {
    return #calls in model && model.#calls === calls;
  }
}

/** The model, wrapped so that it is asked through `calls`; one that is wrapped so already is given back itself. */
export const layeredModel = (model: Model, calls: ModelCalls): Model =>
  LayeredModel.goesThrough(model, calls) ? model : (new LayeredModel(model, calls) as object as Model);
