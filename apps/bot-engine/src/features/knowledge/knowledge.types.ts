export interface PolicyHit {
  readonly chunkId: string;
  readonly title: string;
  readonly body: string;
  readonly score: number;
}

/** What a store's bot can look up (design 3.9). Every call is of one store. */
export interface KnowledgeSearch {
  /** The best SKUs of the store's catalogue for a customer's words, best first. */
  products(
    storeId: string,
    query: { readonly text: string; readonly category?: string; readonly limit: number },
  ): Promise<readonly { readonly sku: string; readonly score: number }[]>;
  /** The chunks that answer the question; none when nothing does. */
  policy(storeId: string, agentId: string, question: string, limit: number): Promise<readonly PolicyHit[]>;
  /** The whole policy of an agent when it is small (design 3.9), for the system message. */
  wholePolicy(storeId: string, agentId: string, agentVersion: number): Promise<string | undefined>;
  /** Counts a question that nothing answered: one row per agent and folded question. */
  gap(storeId: string, agentId: string, question: string, runId: string): Promise<void>;
}
