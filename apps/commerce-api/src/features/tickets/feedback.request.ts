import type { Database, Sql } from '@platform/data';
import { NotFound, Rejected } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { ChatMessages } from '../../clients/chat.messages';
import type { CommerceJobs } from '../../jobs';
import { maySend } from '../../may-send';
import { isForgotten, isUnwanted } from '../contacts/people/public';
import { nameOnly, newsText, type ValuesOf } from '../messages/public';
import { feedbackToken } from './feedback.token';
import type { TicketsService } from './tickets.service';

const NAMES = `
  SELECT s.name AS store, coalesce((
    SELECT c.name FROM contact_phone p JOIN contact c ON c.store_id = p.store_id AND c.id = p.contact_id
    WHERE p.store_id = $1 AND p.phone = $2), '') AS buyer
  FROM store s WHERE s.store_id = $1`;

/** What the customer is asked, in the words of the store, with the link in any case; undefined: the store does not ask. */
const questionOf = async (
  sql: Sql,
  storeId: string,
  phone: string,
  values: Pick<ValuesOf<'feedback_request'>, 'ticket_number' | 'feedback_url'>,
): Promise<string | undefined> => {
  const [names] = await sql.query<{ store: string; buyer: string }>(NAMES, [storeId, phone]);
  const { store: store_name = '', buyer = '' } = names ?? {};
  const text = await newsText(sql, storeId, 'feedback_request', { ...values, store_name, buyer_name: nameOnly(buyer) });
  const isLinked = text === undefined || text.includes(values.feedback_url);
  return isLinked ? text : `${text}\n${values.feedback_url}`;
};

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tickets: Pick<TicketsService, 'whole'>;
  /** Undefined: there is no chat-backend. */
  readonly messages: ChatMessages | undefined;
  readonly secret: string;
  /** Undefined: the shop has no pages, so nobody can rate. */
  readonly publicUrl: string | undefined;
}

interface Asked {
  readonly ticketId: string;
  readonly phone: string;
  readonly told_at: Date;
}

const DUE = `
  SELECT data ->> 'ticketId' AS "ticketId", data ->> 'phone' AS phone, told_at FROM chat_event
  WHERE store_id = $1 AND id = $2 AND done_at IS NULL`;
/** Kept is that it was told, so that it is not done again; not whom it is about. */
const DONE = `UPDATE chat_event SET done_at = $3, data = '{}' WHERE store_id = $1 AND id = $2 AND done_at IS NULL`;

/** Asks customers how the service was, once a ticket (design 2.3 D). */
export class FeedbackRequests {
  constructor(private readonly parts: Parts) {}

  /** The job. The message has an id of its own, so that a repeat after a kill is the same message. */
  async ask({ storeId, id }: CommerceJobs['feedback.request']): Promise<void> {
    const { database, clock, logger } = this.parts;
    const [asked] = await database.query<Asked>(DUE, [storeId, id]);
    if (!asked) return;
    try {
      await this.send(storeId, asked);
    } catch (failure) {
      if (!(failure instanceof Rejected) && !(failure instanceof NotFound)) throw failure;
      logger.warn('a customer is not asked how the service was', { store: storeId, err: failure });
    }
    await database.query(DONE, [storeId, id, clock.now()]);
  }

  private async send(storeId: string, { ticketId, phone, told_at }: Asked): Promise<void> {
    const { database, tickets, messages, secret, publicUrl } = this.parts;
    if (!messages || publicUrl === undefined || !(await maySend(database, storeId))) return;
    if ((await isUnwanted(database, storeId, phone)) || (await isForgotten(database, storeId, phone))) return;
    const { nomor, rating } = await tickets.whole({ storeId, ticketId });
    if (rating !== null) return;
    const feedback_url = `${publicUrl}/feedback/${feedbackToken(secret, ticketId, told_at)}`;
    const text = await questionOf(database, storeId, phone, { ticket_number: nomor, feedback_url });
    if (text !== undefined) await messages.send({ storeId, phone, text, id: `feedback-${ticketId}` });
  }
}
