import type { Database, Transaction } from '@platform/data';
import type { Upload } from '@platform/http';
import type { DocView } from '../agents/public';
import type { Queue } from '../../jobs';
import { chunksOf } from './chunks';
import type { GapRepository } from './gap.repository';
import type { NewDoc, WholeKnowledgeDoc } from './knowledge.dto';
import type { AgentsOfKnowledge } from './knowledge.ports';
import { knowledgeRefusals } from './knowledge.refusals';
import type { Doc, KnowledgeRepository, NewDocRow } from './knowledge.repository';
import { MOST_CHUNKS, rowOf } from './posted.doc';

const MOST_DOCS = 200;
/** Of a store: what waits may hold 5 MB each. */
const MOST_PROCESSING = 20;

export interface KnowledgeParts {
  readonly database: Database;
  readonly docs: KnowledgeRepository;
  readonly gaps: GapRepository;
  readonly agents: AgentsOfKnowledge;
  readonly queue: Queue;
  /** Hosts of pages that may be private. */
  readonly allow?: readonly string[];
}

const viewOf = ({ id, agentId, kind, title, source, status, error, updatedAt }: Doc): DocView => ({
  ...{ id, agent_id: agentId, kind, title, source, status, error, updated_at: updatedAt.toISOString() },
});

/** Also of a document whose earlier job has failed or died: a repeated request makes it run again. */
export const readKey = (storeId: string, id: string): string => `knowledge ${storeId} ${id}`;

/** The documents of a store, for people (design 2.10). */
export class KnowledgeService {
  constructor(private readonly parts: KnowledgeParts) {}

  async list(storeId: string, agentId: string): Promise<DocView[]> {
    await this.parts.agents.get(storeId, agentId);
    return this.docsOf(storeId, agentId);
  }

  /** The same of an agent that is known. */
  async docsOf(storeId: string, agentId: string): Promise<DocView[]> {
    return (await this.parts.docs.list(storeId, agentId)).map(viewOf);
  }

  async get(storeId: string, id: string): Promise<WholeKnowledgeDoc> {
    const doc = await this.parts.docs.find(storeId, id);
    if (!doc) throw knowledgeRefusals.docNotFound();
    return { ...viewOf(doc), text: doc.text };
  }

  /** Keeps the document and has it read. The same again is the same document; anything else under its id is refused. */
  async post(storeId: string, posted: NewDoc, files: readonly Upload[]): Promise<DocView> {
    const { database, agents, allow } = this.parts;
    await agents.get(storeId, posted.agent_id);
    const row = await rowOf(storeId, posted, files, allow);
    return database.tx((tx) => this.keep(tx, row));
  }

  /** Of this id, with its chunks; a job that reads it finds nothing to read. */
  async remove(storeId: string, id: string): Promise<void> {
    const { database, docs, agents } = this.parts;
    await database.tx(async (tx) => {
      const doc = await docs.in(tx).lock(storeId, id);
      if (!doc) throw knowledgeRefusals.docNotFound();
      await docs.in(tx).remove(storeId, id);
      await agents.raise(storeId, doc.agentId, tx);
    });
  }

  private async keep(tx: Transaction, row: NewDocRow): Promise<DocView> {
    const { storeId, id, agentId } = row;
    const docs = this.parts.docs.in(tx);
    await docs.lockAgent(storeId, agentId);
    const before = await docs.lock(storeId, id);
    if (before && before.digest !== row.digest) throw knowledgeRefusals.idTaken();
    if (!before) await this.add(tx, row);
    const doc = await docs.find(storeId, id);
    if (!doc) throw knowledgeRefusals.idTaken();
    if (doc.digest !== row.digest) throw knowledgeRefusals.idTaken();
    if (doc.status === 'processing')
      await this.parts.queue.enqueue(tx, 'knowledge.read', { storeId, id }, { key: readKey(storeId, id) });
    return viewOf(doc);
  }

  private async add(tx: Transaction, row: NewDocRow): Promise<void> {
    const { storeId, agentId, gapId, text } = row;
    const docs = this.parts.docs.in(tx);
    const counts = await docs.counts(storeId, agentId);
    if (counts.docs >= MOST_DOCS) throw knowledgeRefusals.tooManyDocs();
    if (counts.processing >= MOST_PROCESSING) throw knowledgeRefusals.tooManyAtOnce();
    if (text !== null && counts.chunks + chunksOf(text).length > MOST_CHUNKS) throw knowledgeRefusals.tooManyChunks();
    if (gapId !== null && !(await this.parts.gaps.in(tx).isOf(storeId, agentId, gapId)))
      throw knowledgeRefusals.gapNotFound();
    await docs.insert(row);
  }
}
