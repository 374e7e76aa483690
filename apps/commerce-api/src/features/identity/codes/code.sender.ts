import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Mail, Mailer } from '../../../clients/mail.client';
import type { CodesClient, IssuedCode } from '../../../clients/store-auth.codes';
import type { MailedPurpose, CommerceJobs, Queue } from '../../../jobs';

/** Nobody's mailbox is filled, whoever asks: no second message within this time, and so many an hour. */
const QUIET = '60 seconds';
/** Every code lives as long as the hour at least, so the last one still works while no other is sent. */
const MOST_AN_HOUR = 5;

const RECENTLY_SENT = `
  SELECT 1 FROM code_request WHERE subject = $1 AND purpose = $2 AND (sent_at > $3::timestamptz - interval '${QUIET}'
    OR hour_sent >= ${MOST_AN_HOUR} AND hour_began > $3::timestamptz - interval '1 hour')`;

const KEEP = `
  INSERT INTO code_request (subject, purpose, code_id, expires_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (subject, purpose) DO UPDATE SET code_id = excluded.code_id, expires_at = excluded.expires_at, sent_at = NULL`;

const SENT = `
  UPDATE code_request SET sent_at = $4,
    hour_sent = CASE WHEN hour_began > $4::timestamptz - interval '1 hour' THEN hour_sent + 1 ELSE 1 END,
    hour_began = CASE WHEN hour_began > $4::timestamptz - interval '1 hour' THEN hour_began ELSE $4 END
  WHERE subject = $1 AND purpose = $2 AND code_id = $3`;

const CODE_ID = 'SELECT code_id FROM code_request WHERE subject = $1 AND purpose = $2';

export interface CodeSenderParts {
  readonly sql: Sql;
  readonly codes: CodesClient;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly queue: Queue;
  readonly clock: Clock;
  /** Address of the pages, for links. */
  readonly publicUrl: string | undefined;
}

const HOUR = 3_600;
const inWords = (seconds: number): string =>
  seconds % HOUR === 0 ? `${seconds / HOUR} jam` : `${Math.floor(seconds / 60)} menit`;

const mails: Readonly<Record<MailedPurpose, (issued: IssuedCode, publicUrl: string) => Omit<Mail, 'to'>>> = {
  verify_email: ({ code, expires_in }) => ({
    subject: `${code} adalah kode verifikasi Anda`,
    text: `Kode verifikasi Anda: ${code}\n\nBerlaku ${inWords(expires_in)}. Jangan berikan kode ini kepada siapa pun.\nAbaikan pesan ini bila Anda tidak mendaftar.\n`,
  }),
  reset_password: ({ code_id, code, expires_in }, publicUrl) => ({
    subject: 'Atur ulang kata sandi',
    text: `Buka tautan ini untuk mengatur ulang kata sandi Anda:\n\n${publicUrl}/reset-password/${code_id}.${code}\n\nBerlaku ${inWords(expires_in)}. Abaikan pesan ini bila Anda tidak memintanya.\n`,
  }),
};

/** Delivers codes that store-auth makes. Here only their ids are kept; the codes are in the messages alone. */
export class CodeSender {
  constructor(private readonly parts: CodeSenderParts) {}

  /** Asks for a message; two requests that wait become one. Part of the caller's transaction when one is given. */
  async request(email: string, purpose: MailedPurpose, tx: Sql = this.parts.sql): Promise<void> {
    await this.parts.queue.enqueue(tx, 'code.send', { email, purpose }, { key: `code:${purpose}:${email}` });
  }

  /** The job: a repeated one sends a new code, and the one before it is void here. */
  async send({ email, purpose }: CommerceJobs['code.send']): Promise<void> {
    const { sql, codes, mailer, clock, publicUrl = '' } = this.parts;
    if ((await sql.query(RECENTLY_SENT, [email, purpose, clock.now()])).length > 0) return;
    const issued = await codes.issue(email, purpose);
    if (!issued.deliver) return;
    const expires = new Date(clock.now().getTime() + issued.expires_in * 1000);
    await sql.query(KEEP, [email, purpose, issued.code_id, expires]);
    await mailer.send({ to: email, ...mails[purpose](issued, publicUrl) });
    await sql.query(SENT, [email, purpose, issued.code_id, clock.now()]);
  }

  /** Whether this is the code that was sent last. */
  async prove(email: string, purpose: MailedPurpose, code: string): Promise<boolean> {
    const [row] = await this.parts.sql.query<{ code_id: string }>(CODE_ID, [email, purpose]);
    return row !== undefined && this.parts.codes.consume({ code_id: row.code_id, code }, purpose);
  }
}
