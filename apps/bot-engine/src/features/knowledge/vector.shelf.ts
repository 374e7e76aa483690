import { joined, type Database } from '@platform/data';

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

/** Of what is kept of an agent beside its vectors, and of each vector beside its numbers. */
const OF_SHELF = 1_024;
const OF_VECTOR = 256;

const sizeOf = ({ vectors }: Shelf): number => OF_SHELF + vectors.length * (OF_VECTOR + (vectors[0]?.byteLength ?? 0));

interface Kept {
  readonly version: number;
  readonly shelf: Shelf;
}

/** Keeps the vectors of the agents that were asked last, by version, within a bound of memory; an agent without any counts too. */
export class VectorShelves {
  /** The least recently used first, as a Map keeps it. */
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;
  /** Turns of a store that ask at once take the memory of one: their vectors are megabytes, thrice while they are read. */
  private readonly once = joined<Shelf>();

  constructor(
    private readonly database: Pick<Database, 'query'>,
    private readonly model: string,
  ) {}

  async of(storeId: string, agentId: string, version: number): Promise<Shelf> {
    const key = JSON.stringify([storeId, agentId]);
    return this.known(key, version) ?? this.once(`${version} ${key}`, () => this.read(storeId, agentId, version));
  }

  private async read(storeId: string, agentId: string, version: number): Promise<Shelf> {
    const key = JSON.stringify([storeId, agentId]);
    const known = this.known(key, version);
    if (known) return known;
    const shelf = await this.load(storeId, agentId);
    this.drop(key);
    this.keep(key, { version, shelf });
    return shelf;
  }

  /** Used last from now on. */
  private known(key: string, version: number): Shelf | undefined {
    const kept = this.kept.get(key);
    if (kept?.version !== version) return undefined;
    this.kept.delete(key);
    this.kept.set(key, kept);
    return kept.shelf;
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

  private keep(key: string, kept: Kept): void {
    this.kept.set(key, kept);
    this.bytes += sizeOf(kept.shelf);
    for (const [oldest] of this.kept) {
      if (this.bytes <= MOST_BYTES) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const kept = this.kept.get(key);
    if (!kept) return;
    this.kept.delete(key);
    this.bytes -= sizeOf(kept.shelf);
  }
}
