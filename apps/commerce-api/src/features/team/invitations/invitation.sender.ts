import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Mailer } from '../../../clients/mail.client';
import type { CommerceJobs } from '../../../jobs';
import { linkHash, newLink } from '../../../secret-link';

/** Nobody's mailbox is filled: no second message within this time. */
const QUIET = '60 seconds';

const OPEN = `
  SELECT i.email, s.name AS store FROM invitation i JOIN store s ON s.store_id = i.store_id
  WHERE i.store_id = $1 AND i.id = $2 AND i.expires_at > $3
    AND (i.sent_at IS NULL OR i.sent_at <= $3::timestamptz - interval '${QUIET}')`;

const KEEP = 'UPDATE invitation SET token_hash = $3 WHERE store_id = $1 AND id = $2';
const SENT = 'UPDATE invitation SET sent_at = $3 WHERE store_id = $1 AND id = $2';

export interface InvitationSenderParts {
  readonly sql: Sql;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly clock: Clock;
  /** Address of the pages. */
  readonly publicUrl: string | undefined;
}

/** The name of a shop is its owner's text: no line of it becomes one of the message. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Sends invitations. The link is made here, is in the message alone, and voids the one before it. */
export class InvitationSender {
  constructor(private readonly parts: InvitationSenderParts) {}

  /** The job; of an invitation that is withdrawn, accepted or too old nothing is sent. */
  async send({ storeId, id }: CommerceJobs['invitation.send']): Promise<void> {
    const { sql, mailer, clock, publicUrl = '' } = this.parts;
    const [row] = await sql.query<{ email: string; store: string }>(OPEN, [storeId, id, clock.now()]);
    if (!row) return;
    const link = newLink(storeId, id);
    await sql.query(KEEP, [storeId, id, linkHash(link)]);
    const store = oneLine(row.store);
    await mailer.send({
      to: row.email,
      subject: `Undangan bergabung dengan ${store}`,
      text: `Anda diundang bergabung dengan ${store}. Buka tautan ini untuk menerima undangan:\n\n${publicUrl}/invitation/${link}\n\nBerlaku 7 hari. Abaikan pesan ini bila Anda tidak mengenal pengirimnya.\n`,
    });
    await sql.query(SENT, [storeId, id, clock.now()]);
  }
}
