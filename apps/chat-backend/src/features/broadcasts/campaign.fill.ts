import { isRefusedForEver, sqlState, type Database, type Transaction } from '@platform/data';
import type { JobQueue } from '@platform/jobs';
import { uuidv5, uuidv7, type Logger } from '@platform/runtime';
import type { ChatJobs } from '../../chat.jobs';
import {
  previewOf,
  fillPlaceholders,
  type OutboundPayload,
  type NewChat,
  type OutboundMessage,
  type OutboundRepository,
  type Sent,
  type OutboundService,
} from '../outbound/public';
import { chatStatuses, chatIdOf } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import type { CampaignEnds, LimitedStop } from './campaign.ends';
import type { CampaignBody, CampaignKey } from './campaign.types';
import { ENDED, IS_SENDING, NEXT, PASS_OVER, TAKEN } from './fill.sql';

const SENT = 1;
const FAILED = 4;
const SKIPPED = 5;
/** Recipients skipped in one transaction; a job continues, so that nothing is locked for long. */
const MOST_PASSED = 100;

export interface FillDependencies {
  readonly database: Pick<Database, 'prepared'>;
  readonly queue: JobQueue<ChatJobs>;
  readonly sends: OutboundRepository;
  readonly outbound: Pick<OutboundService, 'announced'>;
  readonly announcer: Pick<ChatAnnouncer, 'history'>;
  readonly ends: Pick<CampaignEnds, 'done' | 'attempt'>;
  readonly logger: Logger;
}

/** About a quarter of an hour: a job that fails comes again after seconds, and the timer calls it each minute. */
const STUCK: LimitedStop = {
  ...{ from: 'sending', to: 'paused', most: 60 },
  why: 'tidak dapat dilanjutkan karena gangguan; lanjutkan setelah diperbaiki',
};

interface Place {
  readonly instance: string;
  readonly team: string;
  readonly body: CampaignBody;
}

interface Next extends Place {
  readonly nohp: string;
  /** The same, or the number that it hides. */
  readonly number: string;
  readonly nama: string | null;
  readonly params: Record<string, unknown>;
  readonly barred: string | null;
  readonly conversationId: string | null;
}

type NextRow = Next | (Place & { readonly nohp: null });

const text = (template: string | null, values: Record<string, unknown>): string | null =>
  template === null ? null : fillPlaceholders(template, values);

/** A campaign writes as the shop: it takes over no chat, and no user is notified of each number that fails. */
const messageFor = ({ nohp, nama, params, body }: Next, broadcastId: string): OutboundMessage => {
  const { content, bulk } = body;
  const values = { nama, ...params };
  const [pesan, caption] = [text(content.text, values), text(content.caption, values)];
  const preview = previewOf({
    type: content.type,
    text: pesan ?? undefined,
    caption: caption ?? undefined,
    detail: content.detail ?? undefined,
  });
  return {
    pesan_id: uuidv5(broadcastId, nohp),
    role: 'system',
    user_id: null,
    type: content.type,
    pesan,
    caption,
    media: content.media,
    detail: content.detail,
    quote: null,
    preview,
    campaign: { id: broadcastId, ...bulk },
  };
};

/**
 * Moves a campaign on, one recipient at a time: each gets a message and a bulk row in one transaction, and the next is taken
 * in the transaction that ends that row. So whenever a process dies, exactly one recipient is in flight, none is lost and
 * none is sent twice (design 3.4). The job of the same name begins it, and takes over where that was not possible.
 */
export class CampaignFill {
  constructor(private readonly needs: FillDependencies) {}

  /**
   * Puts the next recipient into the outbox, when the campaign may send and has none there. One that fails again and again is
   * paused; who is left gets the message when it is resumed.
   */
  run(key: CampaignKey): Promise<void> {
    return this.needs.ends.attempt(key, STUCK, (tx) => this.fill(tx, key));
  }

  /** Has a worker call `run` after the commit. */
  async queue(tx: Transaction, key: CampaignKey): Promise<void> {
    await this.needs.queue.enqueue(tx, 'broadcast.fill', key, { key: `broadcast.${key.storeId}.${key.broadcastId}` });
  }

  /** What became of a bulk row, in the transaction that ends it; `failure` says why the gateway will not take it. */
  async ended(tx: Transaction, rowId: string, payload: OutboundPayload, failure: string | undefined): Promise<void> {
    const { storeId, campaign, nohp, pesanId, instance } = payload;
    if (!campaign) return;
    const key = { storeId, broadcastId: campaign.id };
    const status = failure === undefined ? SENT : FAILED;
    const values = [storeId, campaign.id, nohp, pesanId, instance, status, failure ?? null, rowId];
    await tx.prepared('broadcast_ended', ENDED, values);
    await this.goOn(tx, key);
  }

  /** Whether rows of the campaign are to wait as long as the gateway is away. */
  async isSending({ storeId, campaign }: OutboundPayload): Promise<boolean> {
    if (!campaign) return false;
    const values = [storeId, campaign.id];
    const [row] = await this.needs.database.prepared<{ sending: boolean }>('broadcast_is_sending', IS_SENDING, values);
    return row?.sending ?? false;
  }

  /** The outcome of one recipient is kept, whatever is wrong with the next. */
  private async goOn(tx: Transaction, key: CampaignKey): Promise<void> {
    await tx.query('SAVEPOINT next_recipient');
    try {
      await this.fill(tx, key);
    } catch (failure) {
      await tx.query('ROLLBACK TO SAVEPOINT next_recipient');
      const error = failure instanceof Error ? failure.message : String(failure);
      this.needs.logger.error('a campaign could not advance at once; a job tries again', { ...key, error });
      await this.queue(tx, key);
    }
  }

  private async fill(tx: Transaction, key: CampaignKey): Promise<void> {
    for (let passed = 0; passed < MOST_PASSED; passed++) {
      const [next] = await tx.prepared<NextRow>('broadcast_next', NEXT, [key.storeId, key.broadcastId]);
      if (!next) return;
      if (next.nohp === null) return this.needs.ends.done(tx, key);
      const why = next.barred ?? (await this.attempt(tx, key, next));
      if (why === undefined) return;
      const status = next.barred === null ? FAILED : SKIPPED;
      await tx.prepared('broadcast_pass_over', PASS_OVER, [key.storeId, key.broadcastId, next.nohp, why, status]);
    }
    await this.queue(tx, key);
  }

  /** Undefined when it was sent, else why this recipient is passed over; nothing is left of the attempt then. */
  private async attempt(tx: Transaction, key: CampaignKey, next: Next): Promise<string | undefined> {
    await tx.query('SAVEPOINT this_recipient');
    let why = 'pesan sudah diproses';
    try {
      // A message with this id may exist already: it must not go out again
      if (await this.send(tx, key, next)) return undefined;
    } catch (failure) {
      if (!isRefusedForEver(failure)) throw failure;
      why = 'pesan tidak dapat dibuat';
      const state = sqlState(failure);
      this.needs.logger.error('a recipient of a campaign is passed over', { ...key, sqlState: state });
    }
    await tx.query('ROLLBACK TO SAVEPOINT this_recipient');
    return why;
  }

  /** False when nothing was sent. Tells who watches the chat only once everything is written. */
  private async send(tx: Transaction, key: CampaignKey, next: Next): Promise<boolean> {
    const message = messageFor(next, key.broadcastId);
    const { conversationId = null } = next;
    const known = conversationId ?? uuidv7();
    const chat = { storeId: key.storeId, conversationId: known };
    const [sent] =
      conversationId === null ? await this.sendFirst(tx, chat, next, message) : await this.write(tx, chat, message);
    if (!sent) return false;
    const values = [key.storeId, key.broadcastId, next.nohp, message.pesan_id, known, sent.seq, sent.rowId];
    const [taken] = await tx.prepared<{ history: object }>('broadcast_taken', TAKEN, values);
    tx.afterCommit(() => {
      this.needs.outbound.announced(sent);
      if (taken) this.needs.announcer.history(chatIdOf(chat), [taken.history]);
    });
    return true;
  }

  private write(
    tx: Transaction,
    chat: { storeId: string; conversationId: string },
    message: OutboundMessage,
  ): Promise<Sent[]> {
    return this.needs.sends.in(tx).send(chat, [message], { ifStatus: undefined, actor: undefined });
  }

  /** A chat that a campaign begins is finished until the customer answers: it waits for nobody, and the answer reopens it. */
  private sendFirst(
    tx: Transaction,
    chat: { storeId: string; conversationId: string },
    { instance, number: nohp, nama, team }: Next,
    message: OutboundMessage,
  ): Promise<Sent[]> {
    const status = chatStatuses.indexOf('finish');
    const create: NewChat = { ...chat, customerId: uuidv7(), instance, nohp, team, isGroup: false, status, name: nama };
    const here = { tx: <T>(work: (inner: Transaction) => Promise<T>) => work(tx) };
    return this.needs.sends.in(tx).sendFirst(here, create, [message], { ifStatus: undefined, actor: undefined });
  }
}
