import { bigintNumber, type Database } from '@platform/data';
import { notify } from '../../../notify';
import type { NoticeEvent } from '../../../notice.types';
import type { ShopEvent } from '../../../shop-event.types';
import { moneyText } from '../../messages/templates/public';

const ORDER = `SELECT o.number, o.total AS amount, o.currency FROM sales_order o WHERE o.store_id = $1 AND o.id = $2`;
const WITHDRAWAL = `SELECT w.id::text AS number, w.amount, w.currency FROM withdrawal w WHERE w.store_id = $1 AND w.id = $2`;

interface Subject {
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
}

/** The observer of events: what members are told of them. One event is one notice. */
export const noticesOfEvents =
  (database: Database) =>
  async ({ storeId, eventId, kind, subjectId }: ShopEvent): Promise<void> => {
    const isOrder = kind.startsWith('order.');
    const [subject] = await database.query<Subject>(isOrder ? ORDER : WITHDRAWAL, [storeId, subjectId]);
    if (!subject) return;
    const { number, amount, currency } = subject;
    const params = { number, amount: moneyText(bigintNumber.from(amount), currency) };
    const url = isOrder ? `/orders/${subjectId}` : '/wallet';
    await notify(database, { storeId, id: eventId, event: kind as NoticeEvent, params, url });
  };
