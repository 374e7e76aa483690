import { isUniqueViolation, microBatch, type MicroBatch, type Sql } from '@platform/data';
import type { Component } from '@platform/runtime';
import type { InboundMessage } from './inbound-message';
import type { Notified } from '../notifications/notification.announcer';
import { ingestStatement, STORED, type IngestJobs } from './ingest.sql';

/** What became of a message: the answer's `data` as JSON text, and whether it was new. */
export interface Ingested {
  readonly body: string;
  readonly fresh: boolean;
  readonly turned: boolean;
  readonly notified: readonly Notified[] | null;
}

interface IngestRow {
  readonly ord: number;
  readonly turned: boolean;
  readonly notified: readonly Notified[] | null;
  readonly body: string;
}

const WRITERS = 2;
const BATCH = 64;
const QUEUE = 2_000;

/** Another write, of this process or of another replica, has just committed the same message. */
const storedMeanwhile = (failure: unknown): undefined => {
  if (!isUniqueViolation(failure, 'messages_store_id_instance_pesan_id_key')) throw failure;
};

/** Messages that arrive while a batch is being written go together in the next one (architecture section 10). */
export class IngestRepository implements Component {
  readonly name = 'ingest';
  private readonly batches: MicroBatch<InboundMessage, Ingested | undefined>;
  private readonly statement: string;

  constructor(
    private readonly sql: Sql,
    jobs: IngestJobs,
  ) {
    this.statement = ingestStatement(jobs);
    this.batches = microBatch({
      writers: WRITERS,
      maxBatch: BATCH,
      maxQueue: QUEUE,
      write: (rows) => this.write(rows),
    });
  }

  /** Resolves after the commit that holds the message, new or stored before. Rejects with `Unavailable` when it cannot be stored now. */
  async store(message: InboundMessage): Promise<Ingested> {
    const written = await this.batches.add(message).catch(storedMeanwhile);
    if (written) return written;
    const body = await this.stored(message.store_id, message.instance, message.pesan_id);
    if (body === undefined) throw new Error('a message that was neither new nor stored');
    return { body, fresh: false, turned: false, notified: null };
  }

  /** The answer's `data` of a stored message, by our id or WhatsApp's. */
  async stored(storeId: string, instance: string, messageId: string): Promise<string | undefined> {
    const [row] = await this.sql.prepared<{ body: string }>('ingest_stored', STORED, [storeId, instance, messageId]);
    return row?.body;
  }

  stop(): Promise<void> {
    return this.batches.stop();
  }

  private async write(rows: readonly InboundMessage[]): Promise<(Ingested | undefined)[]> {
    const input = JSON.stringify(rows.map((row, ord) => ({ ord, ...row })));
    const written = await this.sql.prepared<IngestRow>('ingest', this.statement, [input]);
    const results = new Array<Ingested | undefined>(rows.length).fill(undefined);
    for (const { ord, body, turned, notified } of written) results[ord] = { body, fresh: true, turned, notified };
    return results;
  }
}
