import { Housekeeping, PageCursor, type Database } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { Area } from '../../area';
import type { Queue } from '../../jobs';
import type { ProductSearch } from '../catalogue/public';
import type { Embedder } from '../model/public';
import { ChunkEmbedding } from './chunk.embedding';
import { DocumentReader } from './document.reader';
import { GapRepository } from './gap.repository';
import { GapService } from './gap.service';
import type { DocView } from '../agents/public';
import { knowledgeEndpoints } from './knowledge.endpoints';
import type { AgentsOfKnowledge } from './knowledge.ports';
import type { NewDoc } from './knowledge.dto';
import { knowledgeRepository } from './knowledge.repository';
import { KnowledgeService } from './knowledge.service';
import type { KnowledgeSearch } from './knowledge.types';
import { PolicySearch } from './policy.search';
import { recordedVectors } from './recorded.vectors';
import type { TextVectors } from './vectors.types';
import { WholePolicies } from './whole.policy';

export interface KnowledgeRoomParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly agents: AgentsOfKnowledge;
  readonly products: ProductSearch;
  /** Signs the cursors of lists. */
  readonly secret: string;
  /** With EMBEDDING_MODEL only. */
  readonly embedder?: Embedder;
  /** Hosts of pages that may be private: none but in tests. */
  readonly allow?: readonly string[];
}

export interface KnowledgeRoom {
  readonly area: Area;
  readonly knowledge: KnowledgeSearch;
  /** Of an agent that is there; the same again is the same document, another one under its id is refused. */
  readonly post: (storeId: string, doc: NewDoc) => Promise<DocView>;
  /** The documents of an agent that is known to be the store's. */
  readonly docsOf: (storeId: string, agentId: string) => Promise<DocView[]>;
}

/** Half a year. */
const GAPS = { table: 'bot_gaps', column: 'last_at', keepMs: 180 * 86_400_000 };

const jobsOf = (
  parts: KnowledgeRoomParts,
  reader: DocumentReader,
  vectors?: TextVectors,
): Pick<Area, 'jobs' | 'runners'> => {
  const { database, agents } = parts;
  const embedding = vectors && new ChunkEmbedding({ database, agents, vectors });
  return {
    jobs: {
      'knowledge.read': { effect: 'inside', run: (row, job) => reader.read(row, job) },
      // Paid for at the provider's. Without a model there is nothing to do
      'knowledge.embed': {
        effect: 'outside',
        run: async ({ storeId, agentId }, { signal }) => void (await embedding?.run(storeId, agentId, signal)),
      },
    },
    runners: [
      // Addresses of a slow host keep places for a minute and more
      { name: 'knowledge', tasks: ['knowledge.read'], concurrency: 8, share: { by: 'storeId', most: 1 } },
      // A provider that hangs keeps them for longer: no document waits behind it, as it is found by its words before
      { name: 'embeddings', tasks: ['knowledge.embed'], concurrency: 4, share: { by: 'storeId', most: 1 } },
    ],
  };
};

const embedLater =
  ({ database, queue }: Pick<KnowledgeRoomParts, 'database' | 'queue'>) =>
  async (storeId: string, agentId: string): Promise<void> =>
    void (await queue.enqueue(
      database,
      'knowledge.embed',
      { storeId, agentId },
      { key: `embed ${storeId} ${agentId}` },
    ));

/** What stores tell their bots, and the search in it. */
export const composeKnowledge = (parts: KnowledgeRoomParts): KnowledgeRoom => {
  const { database, clock, logger, products, secret, embedder } = parts;
  const vectors = embedder && recordedVectors(embedder, database);
  const docs = knowledgeRepository(database);
  const gaps = new GapRepository(database);
  const service = new KnowledgeService({ ...parts, docs, gaps });
  const reader = new DocumentReader({ ...parts, docs, gaps }, { ...parts, embeds: vectors !== undefined });
  const policies = new PolicySearch({ ...parts, vectors, embed: embedLater(parts) });
  const whole = new WholePolicies(database);
  return {
    area: {
      endpoints: knowledgeEndpoints(service, new GapService(gaps, new PageCursor(`gaps of ${secret}`))),
      components: [new Housekeeping(database, { clock, logger, expired: [GAPS] })],
      ...jobsOf(parts, reader, vectors),
    },
    knowledge: {
      products,
      policy: (storeId, agentId, question, limit) => policies.find(storeId, agentId, question, limit),
      wholePolicy: (storeId, agentId, version) => whole.of(storeId, agentId, version),
      gap: (storeId, agentId, question, runId) => gaps.count(storeId, agentId, question, runId),
    },
    post: (storeId, doc) => service.post(storeId, doc, []),
    docsOf: (storeId, agentId) => service.docsOf(storeId, agentId),
  };
};
