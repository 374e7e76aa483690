import { randomUUID } from 'node:crypto';
import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import type { CommerceJobs, Queue } from '../../../jobs';
import { linkHash } from '../../../secret-link';
import { ISSUE } from './deliver.sql';
import type { DownloadLinks } from './download.links';

/** What a link is made for. */
export interface Wanted {
  /** null: it had none before. */
  readonly id: string | null;
  readonly order_item_id: string;
  /** null: the licence keys of the line. */
  readonly asset_id: string | null;
  readonly max_downloads: number;
  readonly valid_days: number;
}

export interface IssueParts {
  readonly queue: Queue;
  readonly links: DownloadLinks;
}

/**
 * Gives these things links, in place of those that they had, and has them sent in one message, in the caller's transaction, which holds the
 * lock of the order. Resolves to when the first of them ends.
 */
export const issueLinks = async (
  tx: Sql,
  { storeId, at }: Pick<By, 'storeId' | 'at'>,
  { queue, links }: IssueParts,
  {
    orderId,
    wanted,
    channel,
  }: Pick<CommerceJobs['download.send'], 'orderId' | 'channel'> & { readonly wanted: readonly Wanted[] },
): Promise<Date> => {
  const issue = randomUUID();
  const rows = wanted.map((thing) => {
    const id = thing.id ?? uuidv7();
    return { ...thing, id, token_hash: linkHash(links.tokenOf({ storeId, id, issue })) };
  });
  const values = [storeId, orderId, at, issue, JSON.stringify(rows)];
  const written = await tx.query<{ expires_at: Date }>(ISSUE, values);
  await queue.enqueue(tx, 'download.send', { storeId, orderId, issue, ...(channel && { channel }) });
  return new Date(Math.min(...written.map(({ expires_at }) => expires_at.getTime())));
};
