import type { CallOptions, GenerateResult, Model, StreamResult } from "../framework.js";

/** The functions that produce the answers of a wrapped model. */
export interface ModelCalls {
  generate(model: Model, params: CallOptions): PromiseLike<GenerateResult>;
  stream(model: Model, params: CallOptions): PromiseLike<StreamResult>;
}

/** The key of the wrapped model. */
const inner: unique symbol = Symbol("model");

/**
 * The property `supportedUrls` of a wrapped model. It is defined on each instance, so that spreading copies it. All
 * instances share one getter: a getter per instance would create a new hidden class with each call.
 */
const supportedUrls: PropertyDescriptor & ThisType<LayeredModel> = {
  get() {
    return this[inner].supportedUrls;
  },
  enumerable: true,
  configurable: true,
};

/** A model whose calls pass through `calls`. */
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

  /** Returns true if a model is already wrapped with this `calls`. */
  static goesThrough(model: object, calls: ModelCalls): boolean {
    return #calls in model && model.#calls === calls;
  }
}

/** Returns the model wrapped with `calls`, or the same object if it is already wrapped with them. */
export const layeredModel = (model: Model, calls: ModelCalls): Model =>
  LayeredModel.goesThrough(model, calls) ? model : (new LayeredModel(model, calls) as object as Model);
