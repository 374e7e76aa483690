import { isRefusedForEver, isUniqueViolation, microBatch, sqlState, type MicroBatch, type Sql } from '@platform/data';
import { storableJson, traceToKeep, type Component, type Logger } from '@platform/runtime';
import { stubOf, type InboundMessage } from './inbound-message';
import type { Notified } from '../notifications/public';
import { STORED, TEAM_OF } from './ingest.sql';

/** A stored message: whose chat it is in, and the records of the answer as JSON text. */
export interface StoredMessage {
  readonly chatId: string;
  /** What the chat is known by: not what was written to when that is another name of the customer. */
  readonly phone: string;
  /** ChatInboxStruct of the message. */
  readonly inbox: string;
  /** ChatListStruct of its chat. */
  readonly list: string;
  /** An object with the other members of the answer: chat_order, handle_gudang, customer, history. */
  readonly others: string;
}

/** What became of a message, and whether it was new. */
export interface Ingested extends StoredMessage {
  readonly fresh: boolean;
  /** ChatHistoryStruct of what the message did to its chat: created, resumed or reopened it. */
  readonly event: object | null;
  readonly notified: readonly Notified[] | null;
}

interface IngestRow extends Omit<Ingested, 'fresh'> {
  readonly ord: number;
  readonly jobs: string;
}

const WRITERS = 2;
const BATCH = 64;
const QUEUE = 2_000;

/** Another write, of this process or of another replica, has just committed the same message. */
const storedMeanwhile = (failure: unknown): undefined => {
  if (!isUniqueViolation(failure, 'messages_store_id_instance_pesan_id_key')) throw failure;
};

/** The batch is written outside of the requests that brought its messages. */
interface TracedMessage extends InboundMessage {
  readonly trace: string | null;
}

const withTrace = (message: InboundMessage): TracedMessage => ({ ...message, trace: traceToKeep() });

/** Messages that arrive while a batch is being written go together in the next one (architecture section 10). */
export class IngestRepository implements Component {
  readonly name = 'ingest';
  private readonly batches: MicroBatch<TracedMessage, Ingested | undefined>;

  constructor(
    private readonly sql: Sql,
    /** As `ingestStatement` writes it. */
    private readonly statement: string,
    private readonly logger: Pick<Logger, 'error'>,
  ) {
    this.batches = microBatch({
      writers: WRITERS,
      maxBatch: BATCH,
      maxQueue: QUEUE,
      // One whose row is held for long leaves the other writer to all other chats
      queueOf: ({ store_id, instance, number }) => `${store_id} ${instance} ${number}`,
      write: (rows) => this.write(rows),
    });
  }

  /** Resolves after the commit that holds the message, new or stored before. Rejects with `Unavailable` when it cannot be stored now. */
  async store(message: InboundMessage): Promise<Ingested> {
    const written = await this.written(message);
    if (written) return written;
    const stored = await this.stored(message.store_id, message.instance, message.pesan_id);
    if (stored) return { ...stored, fresh: false, event: null, notified: null };
    // Its customer had another name all at once, by which it is found now
    const renamed = await this.written(message);
    if (renamed === undefined) throw new Error('a message that was neither new nor stored');
    return renamed;
  }

  /** A message that will never be taken is kept as a stub, so that the gateway goes on with the next one of its chat. */
  private async written(message: InboundMessage): Promise<Ingested | undefined> {
    try {
      return await this.batches.add(withTrace(message)).catch(storedMeanwhile);
    } catch (failure) {
      if (!isRefusedForEver(failure)) throw failure;
      const { store_id: storeId, instance, pesan_id: messageId } = message;
      // Not the failure itself: PostgreSQL quotes the row
      const state = sqlState(failure);
      this.logger.error('a message is kept without its content', { storeId, instance, messageId, sqlState: state });
      return this.batches.add(withTrace(stubOf(message))).catch(storedMeanwhile);
    }
  }

  /** A stored message by our id or WhatsApp's. */
  async stored(storeId: string, instance: string, messageId: string): Promise<StoredMessage | undefined> {
    const [row] = await this.sql.prepared<StoredMessage>('ingest_stored', STORED, [storeId, instance, messageId]);
    return row;
  }

  /** The team that the chat with who has these names has, whether or not the store still has that team. */
  async teamOf(storeId: string, instance: string, names: readonly string[]): Promise<string | undefined> {
    const [chat] = await this.sql.prepared<{ team: string }>('ingest_team', TEAM_OF, [storeId, instance, names]);
    return chat?.team;
  }

  stop(): Promise<void> {
    return this.batches.stop();
  }

  private async write(rows: readonly TracedMessage[]): Promise<(Ingested | undefined)[]> {
    const input = storableJson(rows.map((row, ord) => ({ ord, ...row })));
    const written = await this.sql.prepared<IngestRow>('ingest', this.statement, [input]);
    const results = new Array<Ingested | undefined>(rows.length).fill(undefined);
    for (const { ord, jobs: _jobs, ...message } of written) results[ord] = { ...message, fresh: true };
    return results;
  }
}
