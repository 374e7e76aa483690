import { createHmac } from 'node:crypto';
import { equalSecrets } from '@platform/auth';
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
  INSERT INTO code_request (subject, purpose, code_id, expires_at, code_check) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (subject, purpose) DO UPDATE
    SET code_id = excluded.code_id, expires_at = excluded.expires_at, code_check = excluded.code_check, sent_at = NULL`;

const SENT = `
  UPDATE code_request SET sent_at = $4,
    hour_sent = CASE WHEN hour_began > $4::timestamptz - interval '1 hour' THEN hour_sent + 1 ELSE 1 END,
    hour_began = CASE WHEN hour_began > $4::timestamptz - interval '1 hour' THEN hour_began ELSE $4 END
  WHERE subject = $1 AND purpose = $2 AND code_id = $3`;

const CODE_ID = 'SELECT code_id, code_check FROM code_request WHERE subject = $1 AND purpose = $2';

export interface CodeSenderParts {
  readonly sql: Sql;
  readonly codes: CodesClient;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly queue: Queue;
  readonly clock: Clock;
  /** Of the checks of codes. */
  readonly secret: string;
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

/** Delivers codes that store-auth makes. Here only their ids are kept, and what tells a wrong one; the codes are in the messages alone. */
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
    const check = this.checkOf(issued.code_id, issued.code);
    await sql.query(KEEP, [email, purpose, issued.code_id, expires, check]);
    await mailer.send({ to: email, ...mails[purpose](issued, publicUrl) });
    await sql.query(SENT, [email, purpose, issued.code_id, clock.now()]);
  }

  /**
   * Whether this is the code that was sent last. Five wrong ones would burn it at store-auth, and anybody who knows the address could send
   * them: a wrong one is told here, and burns nothing. Of ten of 31 signs there are 8 * 10^14: who asks from a hundred thousand addresses,
   * 60 times a minute each, has tried one in 95,000 of them when the code is over.
   */
  async prove(email: string, purpose: MailedPurpose, code: string): Promise<boolean> {
    const { sql, codes } = this.parts;
    const [row] = await sql.query<{ code_id: string; code_check: string | null }>(CODE_ID, [email, purpose]);
    if (!row) return false;
    const { code_id, code_check: check } = row;
    if (check !== null && !equalSecrets(check, this.checkOf(code_id, code))) return false;
    return codes.consume({ code_id, code }, purpose);
  }

  private checkOf(id: string, code: string): string {
    return createHmac('sha256', this.parts.secret).update(`${id}.${code.trim().toUpperCase()}`).digest('base64url');
  }
}
