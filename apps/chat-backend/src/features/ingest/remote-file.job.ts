import type { Sql } from '@platform/data';
import { Rejected, TooLarge } from '@platform/errors';
import { documentTypeOf } from '@platform/http';
import { cut, type Logger } from '@platform/runtime';
import type { MediaLinks, MediaStore } from '../media/public';
import { chatIdOf, inboxRecord, listRecord } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import type { RemoteFilePayload } from './remote-file.payload';

export interface RemoteFileDependencies {
  readonly sql: Sql;
  readonly store: MediaStore;
  readonly links: MediaLinks;
  readonly announcer: Pick<ChatAnnouncer, 'newMessage'>;
  /** WA_GATEWAY_URL: what a path is relative to. */
  readonly gatewayUrl: string;
  /** Prefixes below which the gateway keeps files. */
  readonly ownFiles: readonly string[];
  readonly logger: Logger;
}

const MAX_BYTES = 100 * 1024 * 1024;
const DOWNLOAD_MS = 120_000;

const HAS_FILE = `SELECT media IS NOT NULL AS "hasFile" FROM messages WHERE store_id = $1 AND conversation_id = $2 AND seq = $3`;

/** The first copy counts: a repeated job changes nothing. */
const KEEP_FILE = `
WITH m AS (UPDATE messages SET media = $4::jsonb WHERE store_id = $1 AND conversation_id = $2 AND seq = $3 AND media IS NULL RETURNING *)
SELECT ${inboxRecord('m', 'c', 's')} AS inbox, ${listRecord('c', 'k', 's')} AS list
FROM m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id
JOIN stores s ON s.store_id = c.store_id`;

/**
 * Copies the file of a message that was too large for the callback; its record has no `url` until then (design section 1,
 * row 12). Clients get the record again, under the same seq. Repeating it is harmless; throwing lets the queue try again.
 */
export const remoteFileJob =
  ({ sql, store, links, announcer, gatewayUrl, ownFiles, logger }: RemoteFileDependencies) =>
  async ({ storeId, conversationId, seq, url, filename }: RemoteFilePayload): Promise<void> => {
    const key = [storeId, conversationId, seq];
    const [message] = await sql.prepared<{ hasFile: boolean }>('remote_file_of', HAS_FILE, key);
    if (!message || message.hasFile) return;
    const address = new URL(url, gatewayUrl).href;
    const options = { allow: ownFiles, maxBytes: MAX_BYTES, timeoutMs: DOWNLOAD_MS };
    const taken = await store.download(address, options).catch((cause: unknown) => {
      if (!(cause instanceof Rejected || cause instanceof TooLarge)) throw cause;
      // Trying again mends neither
      logger.error('the file of a message cannot be copied', { chatId: chatIdOf({ storeId, conversationId }), cause });
      return undefined;
    });
    if (!taken) return;
    const { name, size, type } = taken;
    const shown = cut(filename ?? `file.${type.extension}`, 255);
    const media = JSON.stringify({ name, size, mimetype: documentTypeOf(type, shown), filename: shown });
    const [kept] = await sql.prepared<{ inbox: object; list: object }>('remote_file_keep', KEEP_FILE, [...key, media]);
    if (!kept) return store.discard(name);
    announcer.newMessage(JSON.parse(links.sign(JSON.stringify(kept.inbox))) as object, kept.list);
  };
