import type { Database } from '@platform/data';

/** The vectors of an agent's chunks, one after the other. */
export interface Shelf {
  readonly ids: readonly string[];
  readonly vectors: readonly Float32Array[];
  /** Chunks that have none of this model yet. */
  readonly lacking: number;
}

const LOAD = `
  SELECT id, CASE WHEN embedding_model = $3 THEN embedding END AS embedding FROM bot_knowledge_chunks
  WHERE store_id = $1 AND agent_id = $2 ORDER BY id`;
/** Of all agents of all stores together, in one process. */
const MOST_BYTES = 48 * 1024 * 1024;

const vectorOf = (bytes: Buffer): Float32Array => {
  const vector = new Float32Array(bytes.length >> 2);
  for (let at = 0; at < vector.length; at++) vector[at] = bytes.readFloatLE(at * 4);
  return vector;
};

/** As `bytea`: little-endian, whatever machine writes or reads it. */
export const bytesOf = (vector: Float32Array): Buffer => {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes;
};

const sizeOf = ({ vectors }: Shelf): number => vectors.length * (vectors[0]?.byteLength ?? 0);

/** Keeps the vectors of the agents that were asked last, by version, within a bound of memory. */
export class VectorShelves {
  /** The least recently used first, as a Map keeps it. */
  private readonly kept = new Map<string, Shelf>();
  private bytes = 0;

  constructor(
    private readonly database: Pick<Database, 'query'>,
    private readonly model: string,
  ) {}

  async of(storeId: string, agentId: string, version: number): Promise<Shelf> {
    const key = JSON.stringify([storeId, agentId]);
    const name = `${key} ${version}`;
    const known = this.kept.get(name) ?? (await this.load(storeId, agentId));
    this.drop(name);
    for (const other of this.kept.keys()) if (other.startsWith(`${key} `)) this.drop(other);
    this.keep(name, known);
    return known;
  }

  private async load(storeId: string, agentId: string): Promise<Shelf> {
    const rows = await this.database.query<{ id: string; embedding: Buffer | null }>(LOAD, [
      storeId,
      agentId,
      this.model,
    ]);
    const held = rows.flatMap(({ id, embedding }) => (embedding ? [{ id, vector: vectorOf(embedding) }] : []));
    return {
      ids: held.map(({ id }) => id),
      vectors: held.map(({ vector }) => vector),
      lacking: rows.length - held.length,
    };
  }

  private keep(name: string, shelf: Shelf): void {
    this.kept.set(name, shelf);
    this.bytes += sizeOf(shelf);
    for (const [oldest] of this.kept) {
      if (this.bytes <= MOST_BYTES) return;
      this.drop(oldest);
    }
  }

  private drop(name: string): void {
    const shelf = this.kept.get(name);
    if (!shelf) return;
    this.kept.delete(name);
    this.bytes -= sizeOf(shelf);
  }
}
