import { createHmac, randomInt } from 'node:crypto';
import { equalSecrets } from '@platform/auth';
import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Mailer } from '../../../clients/mail.client';
import type { AccountsClient } from '../../../clients/store-auth.accounts';
import type { CommerceJobs, Queue } from '../../../jobs';

const LIFE_MINUTES = 10;
const TRIES = 5;
/** Nobody's mailbox is filled, and nobody guesses for long: no second message within this time, and so many an hour. */
const QUIET = '60 seconds';
const MOST_AN_HOUR = 5;

const RECENTLY_SENT = `
  SELECT 1 FROM pin_code WHERE store_id = $1 AND user_id = $2 AND (sent_at > $3::timestamptz - interval '${QUIET}'
    OR hour_sent >= ${MOST_AN_HOUR} AND hour_began > $3::timestamptz - interval '1 hour')`;
const KEEP = `
  INSERT INTO pin_code (store_id, user_id, code_hash, attempts, expires_at)
  VALUES ($1, $2, $3, 0, $4::timestamptz + interval '${LIFE_MINUTES} minutes')
  ON CONFLICT (store_id, user_id) DO UPDATE SET code_hash = excluded.code_hash, attempts = 0, expires_at = excluded.expires_at`;
const SENT = `
  UPDATE pin_code SET sent_at = $4,
    hour_sent = CASE WHEN hour_began > $4::timestamptz - interval '1 hour' THEN hour_sent + 1 ELSE 1 END,
    hour_began = CASE WHEN hour_began > $4::timestamptz - interval '1 hour' THEN hour_began ELSE $4 END
  WHERE store_id = $1 AND user_id = $2 AND code_hash = $3`;
/** Counted before the code is looked at. */
const TRY = `UPDATE pin_code SET attempts = attempts + 1
  WHERE store_id = $1 AND user_id = $2 AND attempts < ${TRIES} AND expires_at > $3 RETURNING code_hash`;
/** The row stays, for what was sent in this hour. */
const USE = `UPDATE pin_code SET code_hash = '' WHERE store_id = $1 AND user_id = $2 AND code_hash = $3 AND expires_at > $4
  RETURNING user_id`;

export interface PinCodesParts {
  readonly sql: Sql;
  readonly accounts: Pick<AccountsClient, 'find'>;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly queue: Queue;
  readonly clock: Clock;
  /** Six digits are found from their hash alone; with this they are not. */
  readonly pepper: string;
}

const mailOf = (code: string) => ({
  subject: `${code} adalah kode atur ulang PIN`,
  text: `Kode untuk mengatur ulang PIN dompet toko Anda: ${code}\n\nBerlaku ${LIFE_MINUTES} menit. Jangan berikan kode ini kepada siapa pun.\nSetelah PIN diatur ulang, penarikan dana ditahan 24 jam.\nAbaikan pesan ini bila Anda tidak memintanya.\n`,
});

/** Codes with which a forgotten PIN is set anew. They are in the messages alone; here are their hashes. */
export class PinCodes {
  constructor(private readonly parts: PinCodesParts) {}

  /** Asks for a message; two requests that wait become one. */
  async request(storeId: string, userId: string): Promise<void> {
    const { queue, sql } = this.parts;
    await queue.enqueue(sql, 'wallet.pin-code', { storeId, userId }, { key: `pin-code:${storeId}:${userId}` });
  }

  /** The job: a repeated one sends a new code, and the one before it is void. Only to an address that was proven. */
  async send({ storeId, userId }: CommerceJobs['wallet.pin-code']): Promise<void> {
    const { sql, accounts, mailer, clock } = this.parts;
    if ((await sql.query(RECENTLY_SENT, [storeId, userId, clock.now()])).length > 0) return;
    const account = await accounts.find(userId);
    if (!account?.email_verified) return;
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const hash = this.hashOf(storeId, userId, code);
    await sql.query(KEEP, [storeId, userId, hash, clock.now()]);
    await mailer.send({ to: account.email, ...mailOf(code) });
    await sql.query(SENT, [storeId, userId, hash, clock.now()]);
  }

  /** The proof of the code that was sent last; undefined, and one try less, when it is another one. */
  async prove(storeId: string, userId: string, code: string): Promise<string | undefined> {
    const { sql, clock } = this.parts;
    const [tried] = await sql.query<{ code_hash: string }>(TRY, [storeId, userId, clock.now()]);
    const hash = this.hashOf(storeId, userId, code);
    return tried && equalSecrets(tried.code_hash, hash) ? hash : undefined;
  }

  /** Uses a proven code up; false when somebody has, or it is too old by now. */
  async use(tx: Sql, storeId: string, userId: string, proven: string): Promise<boolean> {
    return (await tx.query(USE, [storeId, userId, proven, this.parts.clock.now()])).length > 0;
  }

  private hashOf(storeId: string, userId: string, code: string): string {
    return createHmac('sha256', this.parts.pepper).update(`${storeId}.${userId}.${code}`).digest('hex');
  }
}
