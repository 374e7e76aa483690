import type { Sql } from '@platform/data';
import type { Logger } from '@platform/runtime';
import type { CommerceClient } from '../../clients/commerce.client';
import type { JobQueue } from '@platform/jobs';
import type { ChatJobs } from '../../chat.jobs';
import { CONTACT_ATTEMPTS, type ContactPayload } from './contact.payload';

export interface ContactDependencies {
  readonly sql: Sql;
  /** Undefined: there is no commerce-api to tell. */
  readonly commerce: CommerceClient | undefined;
  readonly logger: Logger;
}

const CUSTOMER = `SELECT k.nama AS name, k.opt_out_by_customer AS stopped FROM customers k WHERE k.store_id = $1 AND k.nohp = $2`;

/** Queues a contact within a statement: payload and key are SQL. */
export const contactExpression =
  (queue: Pick<JobQueue<ChatJobs>, 'expression'>) =>
  (payload: string, key: string): string =>
    queue.expression('contact', { payload, key, maxAttempts: CONTACT_ATTEMPTS });

/**
 * Tells commerce-api of a customer as it stands now, off the message path; the queue repeats what fails (design 5.3). Of messages it tells
 * what the customer has said, never this copy of what the shop has set; with their time, since the shop may have set something later.
 */
export const contactJob =
  ({ sql, commerce, logger }: ContactDependencies) =>
  async ({ storeId, nohp, said }: ContactPayload): Promise<void> => {
    const [customer] = await sql.prepared<{ name: string | null; stopped: boolean }>('contact_customer', CUSTOMER, [
      storeId,
      nohp,
    ]);
    if (!customer || !commerce) return;
    const { name, stopped: optedOut } = customer;
    const saidAt = said ? { saidAt: new Date(said).toISOString() } : {};
    const wish = said || optedOut ? { optedOut, ...saidAt } : {};
    const taken = await commerce.pushContact({ storeId, phone: nohp, name, ...wish });
    if (!taken) logger.error('commerce-api does not take a contact', { storeId });
  };
