import type { Database, Sql, Transaction } from '@platform/data';
import type { DocError, DocKind, DocSource, DocState } from './knowledge.dto';

/** A document as it is kept. */
export interface Doc {
  readonly storeId: string;
  readonly id: string;
  readonly agentId: string;
  readonly kind: DocKind;
  readonly title: string;
  readonly source: DocSource;
  /** Name of the file, or address. */
  readonly sourceRef: string | null;
  readonly text: string | null;
  readonly status: DocState;
  readonly error: DocError | null;
  /** Of what was posted: the same again is the same document. */
  readonly digest: string;
  readonly gapId: string | null;
  readonly updatedAt: Date;
}

export type NewDocRow = Omit<Doc, 'status' | 'error' | 'updatedAt'> & { readonly content: Buffer | null };

const COLUMNS = `store_id AS "storeId", id, agent_id AS "agentId", kind, title, source, source_ref AS "sourceRef", status, error,
  digest, gap_id AS "gapId", updated_at AS "updatedAt"`;
const FIND = `SELECT ${COLUMNS}, text FROM bot_knowledge_docs WHERE store_id = $1 AND id = $2`;
const LIST = `SELECT ${COLUMNS}, NULL AS text FROM bot_knowledge_docs WHERE store_id = $1 AND agent_id = $2 ORDER BY created_at, id`;
const INSERT = `
  INSERT INTO bot_knowledge_docs (store_id, id, agent_id, kind, title, source, source_ref, text, digest, gap_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING id`;
const COUNTS = `
  SELECT (SELECT count(*)::int FROM bot_knowledge_docs WHERE store_id = $1 AND agent_id = $2) AS docs,
    (SELECT count(*)::int FROM bot_knowledge_docs WHERE store_id = $1 AND status = 'processing') AS processing,
    (SELECT count(*)::int FROM bot_knowledge_chunks WHERE store_id = $1 AND agent_id = $2) AS chunks`;
const SETTLE = `
  UPDATE bot_knowledge_docs SET status = $3, error = $4, text = $5, updated_at = now() WHERE store_id = $1 AND id = $2`;
const ADD_CHUNKS = `
  INSERT INTO bot_knowledge_chunks (store_id, id, doc_id, agent_id, n, title, body)
  SELECT $1, $2 || ':' || n, $2, $3, n, $4, body FROM unnest($5::text[]) WITH ORDINALITY AS part(body, n)`;

export interface Counts {
  readonly docs: number;
  /** Of the whole store. */
  readonly processing: number;
  readonly chunks: number;
}

/** The documents of a store's agents, and the pieces in which they are found. */
export class KnowledgeRepository {
  constructor(private readonly sql: Sql) {}

  in(tx: Transaction): KnowledgeRepository {
    return new KnowledgeRepository(tx);
  }

  async find(storeId: string, id: string): Promise<Doc | undefined> {
    return (await this.sql.query<Doc>(FIND, [storeId, id]))[0];
  }

  /** The same, kept as it is until the transaction ends. */
  async lock(storeId: string, id: string): Promise<Doc | undefined> {
    return (await this.sql.query<Doc>(`${FIND} FOR UPDATE`, [storeId, id]))[0];
  }

  /** Without their texts, oldest first. */
  async list(storeId: string, agentId: string): Promise<Doc[]> {
    return this.sql.query<Doc>(LIST, [storeId, agentId]);
  }

  /** Whoever counts and adds for the same agent waits for the end of this transaction. */
  async lockAgent(storeId: string, agentId: string): Promise<void> {
    await this.sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`knowledge ${storeId} ${agentId}`]);
  }

  async counts(storeId: string, agentId: string): Promise<Counts> {
    const [counts] = await this.sql.query<Counts>(COUNTS, [storeId, agentId]);
    return counts ?? { docs: 0, processing: 0, chunks: 0 };
  }

  /** False when the id is taken. */
  async insert({ content, ...doc }: NewDocRow): Promise<boolean> {
    const { storeId, id, agentId, kind, title, source, sourceRef, text, digest, gapId } = doc;
    const values = [storeId, id, agentId, kind, title, source, sourceRef, text, digest, gapId];
    if ((await this.sql.query(INSERT, values)).length === 0) return false;
    if (content) await this.sql.query('INSERT INTO bot_knowledge_files VALUES ($1, $2, $3)', [storeId, id, content]);
    return true;
  }

  async content(storeId: string, id: string): Promise<Buffer | undefined> {
    const statement = 'SELECT content FROM bot_knowledge_files WHERE store_id = $1 AND doc_id = $2';
    return (await this.sql.query<{ content: Buffer }>(statement, [storeId, id]))[0]?.content;
  }

  async succeed({ storeId, id, agentId, title }: Doc, text: string, chunks: readonly string[]): Promise<void> {
    await this.sql.query(ADD_CHUNKS, [storeId, id, agentId, title, chunks]);
    await this.settle(storeId, id, ['ready', null, text]);
  }

  async fail({ storeId, id }: Doc, error: DocError): Promise<void> {
    await this.settle(storeId, id, ['failed', error, null]);
  }

  /** With its chunks. */
  async remove(storeId: string, id: string): Promise<void> {
    await this.sql.query('DELETE FROM bot_knowledge_docs WHERE store_id = $1 AND id = $2', [storeId, id]);
  }

  private async settle(storeId: string, id: string, how: readonly (string | null)[]): Promise<void> {
    await this.sql.query(SETTLE, [storeId, id, ...how]);
    await this.sql.query('DELETE FROM bot_knowledge_files WHERE store_id = $1 AND doc_id = $2', [storeId, id]);
  }
}

export const knowledgeRepository = (database: Database): KnowledgeRepository => new KnowledgeRepository(database);
