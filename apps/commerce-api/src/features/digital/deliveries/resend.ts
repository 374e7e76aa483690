import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { audited, type Writer } from '../../../by';
import { invalidTransition } from '../../../machine';
import { sendingRefusals, type SendChannel } from '../../papers/sending/public';
import { lockOrder } from '../../sales/orders/public';
import { BY_ID } from './deliver.sql';
import type { Resent } from './deliveries.dto';
import { issueLinks, type IssueParts, type Wanted } from './issue';

interface Stored extends Wanted {
  readonly id: string;
  readonly order_id: string;
  readonly revoked_at: Date | null;
  readonly buyer: { readonly phone: string; readonly email?: string };
}

export interface ResendParts extends IssueParts {
  readonly hasWhatsapp: boolean;
}

const delivery = async (tx: Sql, storeId: string, id: string): Promise<Stored> => {
  const [row] = await tx.query<Stored>(BY_ID, [storeId, id]);
  if (row) return row;
  throw new NotFound('Delivery not found');
};

const addressOf = ({ buyer }: Stored, channel: SendChannel, hasWhatsapp: boolean): string => {
  if (channel === 'email') {
    if (!buyer.email) throw sendingRefusals.noAddress();
    return buyer.email;
  }
  if (!hasWhatsapp) throw sendingRefusals.noWhatsapp();
  return buyer.phone;
};

/**
 * A delivery gets another link, as good as its first, which is sent; the one before stops. Throws `NotFound`, `no_email`, `no_whatsapp`,
 * and `invalid_transition` for what was given back or is not paid any more.
 */
export const resend = async (
  tx: Sql,
  by: Writer,
  { hasWhatsapp, ...parts }: ResendParts,
  { id, channel }: { readonly id: string; readonly channel: SendChannel },
): Promise<Resent> => {
  const { order_id: orderId } = await delivery(tx, by.storeId, id);
  await lockOrder(tx, by.storeId, orderId);
  const found = await delivery(tx, by.storeId, id);
  if (found.revoked_at) throw invalidTransition('revoked');
  const sent_to = addressOf(found, channel, hasWhatsapp);
  const { order_item_id, asset_id, max_downloads, valid_days } = found;
  const wanted = [{ id: found.id, order_item_id, asset_id, max_downloads, valid_days }];
  const ends = await issueLinks(tx, by, parts, { orderId, wanted, channel });
  const after = { resent: channel, expires_at: ends.toISOString() };
  await audited(tx, by, { action: 'digital.write', type: 'digital_delivery', id: found.id, after });
  return { sent_to, expires_at: ends.toISOString() };
};
