/** Whose texts are embedded: for the record of calls and their cost. */
export interface VectorsOwner {
  readonly storeId: string;
  readonly agentId: string;
}

/** Turns texts into vectors of length 1: the product of two is their likeness. */
export interface TextVectors {
  /** Vectors of another model cannot be compared with these. */
  readonly model: string;
  /** One for each text in their order; undefined when the provider does not give them now. At most 100 texts. */
  embed(
    owner: VectorsOwner,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Float32Array[] | undefined>;
}
