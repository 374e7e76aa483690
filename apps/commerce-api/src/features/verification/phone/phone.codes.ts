import type { Sql } from '@platform/data';
import { Conflict, InvalidInput, Rejected, TooMany, type Failure } from '@platform/errors';
import type { JobContext } from '@platform/jobs';
import type { Database } from '@platform/data';
import type { ChatMessages } from '../../../clients/chat.messages';
import type { Mailer } from '../../../clients/mail.client';
import type { Account, AccountsClient } from '../../../clients/store-auth.accounts';
import type { CodesClient } from '../../../clients/store-auth.codes';
import type { CommerceJobs, Queue } from '../../../jobs';

/** How long a code is good for here; store-auth would take it for longer. */
export const PHONE_CODE_SECONDS = 300;
/** Nobody's phone rings more often, whoever asks (as `code.sender`). */
const QUIET_SECONDS = 60;
const MOST_AN_HOUR = 5;
/** After so many tries to write over WhatsApp the code goes by mail: it is waited for. */
const TRIES_OF_WHATSAPP = 2;

export const phoneRefusals = {
  noPhone: (): Failure => new Conflict('Your profile has no phone number', { code: 'no_phone' }),
} as const;

/** The clock is the database's: two processes whose own differ keep the same minute. */
const CLAIM = `
  INSERT INTO code_request AS c (subject, purpose, code_id, expires_at, sent_at, hour_began, hour_sent)
  VALUES ($1, 'phone', '', now(), now(), now(), 1)
  ON CONFLICT (subject, purpose) DO UPDATE SET sent_at = now(),
    hour_sent = CASE WHEN c.hour_began > now() - interval '1 hour' THEN c.hour_sent + 1 ELSE 1 END,
    hour_began = CASE WHEN c.hour_began > now() - interval '1 hour' THEN c.hour_began ELSE now() END
  WHERE c.sent_at <= now() - interval '${QUIET_SECONDS} seconds'
    AND (c.hour_sent < ${MOST_AN_HOUR} OR c.hour_began <= now() - interval '1 hour')
  RETURNING 1`;
const WAIT = `
  SELECT ceil(extract(epoch FROM greatest(sent_at + interval '${QUIET_SECONDS} seconds',
    CASE WHEN hour_sent >= ${MOST_AN_HOUR} THEN hour_began + interval '1 hour' END) - now()))::int AS seconds
  FROM code_request WHERE subject = $1 AND purpose = 'phone'`;
const KEEP = `UPDATE code_request SET code_id = $2, expires_at = now() + interval '${PHONE_CODE_SECONDS} seconds'
  WHERE subject = $1 AND purpose = 'phone'`;
/** Of a number that is another one here meanwhile nothing is proved: the next sign-in tells. */
const PROVED = `UPDATE person SET phone_verified = true, updated_at = now() WHERE user_id = $1 AND phone = $2`;
const KEPT = `SELECT code_id FROM code_request WHERE subject = $1 AND purpose = 'phone' AND code_id <> '' AND expires_at > now()`;

interface Parts {
  readonly database: Database;
  readonly codes: CodesClient;
  readonly accounts: Pick<AccountsClient, 'find'>;
  readonly mailer: Pick<Mailer, 'send'>;
  /** Undefined: there is no chat-backend. */
  readonly messages: ChatMessages | undefined;
  /** The store whose device writes for the platform; undefined: there is none, codes go by mail. */
  readonly platformStore: string | undefined;
  readonly queue: Queue;
}

const textOf = (code: string): string =>
  `Kode verifikasi nomor telepon Anda: ${code}\n\nBerlaku ${PHONE_CODE_SECONDS / 60} menit. Jangan berikan kode ini kepada siapa pun.\n`;

/** Codes that prove the phone number of who is signed in. store-auth makes and judges them; here only their ids are kept. */
export class PhoneCodes {
  constructor(private readonly parts: Parts) {}

  /** Throws `no_phone`, and `TooMany` within a minute of the last one or for the sixth in an hour, on however many processes. */
  async request(userId: string): Promise<void> {
    const { database, accounts, queue } = this.parts;
    const account = await accounts.find(userId);
    if (!account?.phone) throw phoneRefusals.noPhone();
    await database.tx(async (tx) => {
      const claimed = await tx.query(CLAIM, [userId]);
      if (claimed.length === 0) throw await this.tooMany(tx, userId);
      await queue.enqueue(tx, 'phone.send', { userId }, { key: `phone:${userId}` });
    });
  }

  /** The job: a repeated one sends a new code, and the one before it is void. */
  async send(
    { userId }: CommerceJobs['phone.send'],
    { id, attempt }: Pick<JobContext, 'id' | 'attempt'>,
  ): Promise<void> {
    const { database, codes, accounts } = this.parts;
    const issued = await codes.issueToPhone(userId);
    const account = await accounts.find(userId);
    if (!issued.deliver || !account) return;
    await database.query(KEEP, [userId, issued.code_id]);
    const text = textOf(issued.code);
    if (await this.written(account, text, { id: `phone:${id}:${attempt}`, attempt })) return;
    await this.parts.mailer.send({ to: account.email, subject: 'Kode verifikasi nomor telepon', text });
  }

  /** Throws `InvalidInput` unless it is the code that was sent last, and not too old. */
  async confirm(userId: string, code: string): Promise<void> {
    const { database, codes, accounts } = this.parts;
    const [kept] = await database.query<{ code_id: string }>(KEPT, [userId]);
    const account = kept && (await accounts.find(userId));
    if (kept && (await codes.consume({ code_id: kept.code_id, code }, 'phone')))
      return void (await database.query(PROVED, [userId, account?.phone]));
    throw new InvalidInput([{ field: 'code', tag: 'code', message: 'code is wrong or has expired' }]);
  }

  /** Whether WhatsApp took it. */
  private async written(
    { phone }: Account,
    text: string,
    { id, attempt }: { readonly id: string; readonly attempt: number },
  ): Promise<boolean> {
    const { messages, platformStore: storeId } = this.parts;
    if (!messages || storeId === undefined || !phone || attempt > TRIES_OF_WHATSAPP) return false;
    try {
      await messages.send({ storeId, phone, text, id });
      return true;
    } catch (failure) {
      if (failure instanceof Rejected) return false;
      throw failure;
    }
  }

  private async tooMany(tx: Sql, userId: string): Promise<Failure> {
    const [row] = await tx.query<{ seconds: number }>(WAIT, [userId]);
    const retryAfterSeconds = Math.max(1, row?.seconds ?? QUIET_SECONDS);
    return new TooMany('A code was sent a moment ago', { retryAfterSeconds });
  }
}
