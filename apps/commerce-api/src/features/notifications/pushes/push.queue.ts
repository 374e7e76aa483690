import type { Sql } from '@platform/data';
import { cut, withoutTurns } from '@platform/runtime';
import type { Queue } from '../../../jobs';
import type { BrowserPush } from '../../../notice.types';
import { usualWays } from '../notice.events';

/** What members are told by their browsers. */
export interface News extends Omit<BrowserPush, 'id' | 'userId' | 'body'> {
  readonly userIds: readonly string[];
  readonly body: string;
}

/** Browsers of these members who want to hear of the event; $4 whether that is usual. */
export const BROWSERS = `
  SELECT b.id, b.user_id AS "userId", m.push_content AS shows
  FROM push_subscription b
    JOIN membership m ON m.store_id = b.store_id AND m.user_id = b.user_id AND m.status = 'active'
    LEFT JOIN notification_preference p ON p.store_id = b.store_id AND p.user_id = b.user_id AND p.event = $3
  WHERE b.store_id = $1 AND b.user_id = ANY ($2::uuid[]) AND coalesce(p.push, $4::boolean)
  ORDER BY b.id`;

interface Browser {
  readonly id: string;
  readonly userId: string;
  readonly shows: boolean;
}

/** The last try comes about ten minutes after the first: later nobody needs to know. */
const ATTEMPTS = 7;
const [TITLE, BODY] = [80, 240];

/** A title or a text as it is shown: one line, without what turns the direction of what stands around it. */
const shownText = (text: string, most: number): string =>
  cut(withoutTurns(text.replace(/[\s\p{Cc}]+/gu, ' ')), most).trim();

/** Queues what the browsers of these members are told, in the transaction that makes the news. Resolves to how many there are. */
export const queuePushes = async (queue: Queue, tx: Sql, { userIds, body, ...news }: News): Promise<number> => {
  const { storeId, event, tag } = news;
  const usual = usualWays(event).push;
  const browsers = await tx.prepared<Browser>('browsers of members', BROWSERS, [storeId, userIds, event, usual]);
  const title = shownText(news.title, TITLE);
  for (const { id, userId, shows } of browsers) {
    // Not kept where it is not to be shown
    const push: BrowserPush = { ...news, id, userId, title, ...(shows && { body: shownText(body, BODY) }) };
    await queue.enqueue(tx, 'push.send', push, { key: `push:${storeId}:${id}:${tag}`, maxAttempts: ATTEMPTS });
  }
  return browsers.length;
};
