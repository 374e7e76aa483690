import type { SecretBox } from '@platform/auth';
import type { Database, Sql } from '@platform/data';
import { Gone, NotFound, type Failure } from '@platform/errors';
import { Binary, parameter, Redirect, Reply, type Guard } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { Downloading } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { linkHash, readLink } from '../../../secret-link';
import type { PrivateFiles } from '../../media/links/public';
import { keysOfLine } from './bought.keys';

export const downloadRefusals = {
  unknown: (): Failure => new NotFound('Download not found'),
  expired: refusals.linkExpired,
  limit: (): Failure =>
    new Gone('It was downloaded as often as it can be: ask the shop for another link', { code: 'download_limit' }),
} as const;

/** Which delivery a token opens. */
export interface DownloadKey {
  readonly storeId: string;
  readonly id: string;
  readonly hash: string;
  /** Where it is told what the token opens. */
  readonly page: string;
}

const LONGEST = 120;

/** What a token opens; undefined: it is none. */
export const downloadKey = (token: string): DownloadKey | undefined => {
  const place = token.length > LONGEST ? undefined : readLink(token);
  return place && { ...place, hash: linkHash(token), page: `/download/${token}` };
};

/** The path parameter: a text that is no token is answered like one that opens nothing. */
export const downloadToken = parameter<DownloadKey>(
  { type: 'string', minLength: 1, maxLength: LONGEST },
  downloadKey,
  downloadRefusals.unknown,
);

/** Whether a client takes HTML by its name; one that says `q=0` takes none. */
const takesPages = (accept = ''): boolean =>
  accept.split(',').some((each) => /^\s*text\/html\s*(;|$)/i.test(each) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(each));

/** A client that only looks, as one does that shows what a message links to, takes nothing. */
export const downloadGuard: Guard<Downloading> = {
  label: 'none+link',
  authenticate: ({ method, headers: { accept } }) => ({
    ...{ onlyLooks: method === 'HEAD', isPerson: takesPages(accept) },
  }),
};

/** One download more, as long as the link gives one; however many ask at once: $1 store, $2 delivery, $3 hash, $4 now. */
const COUNT = `
  UPDATE digital_delivery d SET downloads = d.downloads + 1, updated_at = $4
  FROM store s, sales_order o
  WHERE d.store_id = $1 AND d.id = $2 AND d.token_hash = $3 AND d.revoked_at IS NULL AND d.expires_at > $4
    AND d.downloads < d.max_downloads
    AND s.store_id = d.store_id AND s.status <> 'suspended' AND o.store_id = d.store_id AND o.id = d.order_id
  RETURNING d.order_id, d.order_item_id, o.number,
    (SELECT a.media_id FROM digital_asset a WHERE a.store_id = $1 AND a.id = d.asset_id) AS media_id`;

const LOOK = `
  SELECT d.token_hash = $3 AND d.revoked_at IS NULL AND d.expires_at > $4 AS works, d.downloads < d.max_downloads AS gives
  FROM digital_delivery d JOIN store s ON s.store_id = d.store_id AND s.status <> 'suspended'
  WHERE d.store_id = $1 AND d.id = $2 AND (d.token_hash = $3 OR $3 = ANY (d.former_hashes))`;

/** What a link opens, also after the last download: $1 store, $2 delivery, $3 hash, $4 now. */
const SHOW = `
  SELECT s.name AS store, s.phone, s.timezone, i.name AS item, m.name AS file, m.bytes, d.expires_at, o.number,
    d.max_downloads - d.downloads AS left
  FROM digital_delivery d
    JOIN store s ON s.store_id = d.store_id
    JOIN sales_order o ON o.store_id = d.store_id AND o.id = d.order_id
    JOIN order_item i ON i.store_id = d.store_id AND i.order_id = d.order_id AND i.id = d.order_item_id
    LEFT JOIN digital_asset a ON a.store_id = d.store_id AND a.id = d.asset_id
    LEFT JOIN media m ON m.store_id = a.store_id AND m.id = a.media_id
  WHERE d.store_id = $1 AND d.id = $2 AND d.token_hash = $3 AND d.revoked_at IS NULL AND d.expires_at > $4`;

/** What somebody has bought, as its page tells it. */
export interface Downloadable {
  readonly store: string;
  readonly phone: string | null;
  readonly timezone: string;
  readonly number: string;
  readonly item: string;
  /** null: the licence keys of the line. */
  readonly file: string | null;
  readonly bytes: string | null;
  readonly expires_at: Date;
  /** How often it can be downloaded still. */
  readonly left: number;
}

interface Counted {
  readonly order_id: string;
  readonly order_item_id: string;
  readonly number: string;
  /** null: the licence keys of the line. */
  readonly media_id: string | null;
}

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly privately: Pick<PrivateFiles, 'forBuyer'>;
}

/** The address is a secret, and what it answers is not the same twice. */
const PRIVATE = { 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' };

const refusedAt = ({ page }: DownloadKey, error: unknown): Reply<Redirect> => {
  if (error instanceof Gone || error instanceof NotFound)
    return new Reply(new Redirect(page, 303), { headers: PRIVATE });
  throw error;
};

const textFile = (name: string, text: string): Binary =>
  new Binary(Buffer.from(text), 'text/plain; charset=utf-8', {
    ...{ 'Content-Disposition': `attachment; filename="${name}"`, 'X-Content-Type-Options': 'nosniff' },
  });

/**
 * What buyers have bought. Each download is counted before it begins; of a file it goes on under an address of its own, which works for a
 * minute: so one that was cut off is resumed there, and however many parts a client asks for it is one download.
 */
export class Downloads {
  constructor(private readonly parts: Parts) {}

  /** Throws `NotFound`, `expired`, `download_limit`; a person is led to the page that says so. */
  async take(key: DownloadKey, { onlyLooks, isPerson }: Downloading): Promise<Reply<Binary | Redirect>> {
    if (onlyLooks) return this.look(key);
    const taken = this.parts.database.tx((tx) => this.count(tx, key));
    return isPerson ? taken.catch((error: unknown) => refusedAt(key, error)) : taken;
  }

  /** What a page tells of it, which counts nothing. Throws `NotFound` and `expired`. */
  async show(key: DownloadKey): Promise<Downloadable> {
    const { database } = this.parts;
    const [found] = await database.prepared<Downloadable>('download show', SHOW, this.values(key));
    const refusal = await this.refusal(database, key);
    if (refusal && refusal.code !== 'download_limit') throw refusal;
    // It may have ended between the two
    if (!found) throw downloadRefusals.expired();
    return found;
  }

  private async count(tx: Sql, key: DownloadKey): Promise<Reply<Binary | Redirect>> {
    const { box, privately } = this.parts;
    const [counted] = await tx.prepared<Counted>('download count', COUNT, this.values(key));
    // Of what is left at this moment somebody else may have taken the last
    if (!counted) throw (await this.refusal(tx, key)) ?? downloadRefusals.limit();
    const { media_id, order_id, order_item_id, number } = counted;
    if (media_id !== null)
      return new Reply(new Redirect(privately.forBuyer(key.storeId, media_id)), { headers: PRIVATE });
    const keys = await keysOfLine(tx, box, { storeId: key.storeId, orderId: order_id, itemId: order_item_id });
    return new Reply(textFile(`${number}-keys.txt`, `${keys.join('\r\n')}\r\n`), { headers: PRIVATE });
  }

  private async look(key: DownloadKey): Promise<Reply<Binary>> {
    const refusal = await this.refusal(this.parts.database, key);
    if (refusal) throw refusal;
    return new Reply(new Binary(Buffer.alloc(0), 'application/octet-stream'), { headers: PRIVATE });
  }

  /** Why it gives nothing; undefined when it does. */
  private async refusal(sql: Sql, key: DownloadKey): Promise<Failure | undefined> {
    type Look = { readonly works: boolean; readonly gives: boolean };
    const [found] = await sql.prepared<Look>('download look', LOOK, this.values(key));
    if (!found) return downloadRefusals.unknown();
    if (!found.works) return downloadRefusals.expired();
    return found.gives ? undefined : downloadRefusals.limit();
  }

  private values({ storeId, id, hash }: DownloadKey): unknown[] {
    return [storeId, id, hash, this.parts.clock.now()];
  }
}
