import type { Sql } from '@platform/data';
import type { Command } from '@platform/http';
import type { JobQueue } from '@platform/jobs';
import type { ChatJobs } from '../../chat.jobs';
import { contactExpression } from './contact.job';

const AT_A_TIME = 1_000;
const USAGE = 'push-contacts';

export interface PushContactsDependencies {
  readonly sql: Sql;
  readonly queue: Pick<JobQueue<ChatJobs>, 'expression'>;
  /** Whether there is a commerce-api to tell. */
  readonly isTold: boolean;
}

/** Queues the next customers by their keys; a contact that waits already is not queued twice. $1 store  $2 number  $3 how many */
const queueNext = (queue: Pick<JobQueue<ChatJobs>, 'expression'>): string => {
  const contact = contactExpression(queue);
  const job = contact(
    "json_build_object('storeId', k.store_id, 'nohp', k.nohp)",
    "'contact.' || k.store_id || '.' || k.nohp",
  );
  return `
    SELECT k.store_id AS "storeId", k.nohp, (${job}).id FROM (
      SELECT store_id, nohp FROM customers WHERE (store_id, nohp) > ($1, $2) AND nohp !~ '@' ORDER BY store_id, nohp LIMIT $3) k
    ORDER BY k.store_id, k.nohp`;
};

/** How many were queued. */
export const pushContacts = async ({ sql, queue, isTold }: PushContactsDependencies): Promise<number> => {
  if (!isTold) throw new Error('COMMERCE_URL is not set: there is no commerce-api to tell of contacts');
  const statement = queueNext(queue);
  let total = 0;
  for (let last = { storeId: '', nohp: '' }; ;) {
    const rows = await sql.query<typeof last>(statement, [last.storeId, last.nohp, AT_A_TIME]);
    total += rows.length;
    const end = rows.at(-1);
    if (!end || rows.length < AT_A_TIME) return total;
    last = end;
  }
};

/** `ops push-contacts`: once, for what commerce-api did not take in the past (design 5.3). Prints how many were queued. */
export const opsCommand = (needs: PushContactsDependencies): Command => ({
  summary: 'queues every customer for commerce-api, which takes them as contacts',
  usage: USAGE,
  run: async (args) => {
    if (args.join(' ') !== USAGE) throw new Error(`ops knows one command: ${USAGE}`);
    process.stdout.write(`${JSON.stringify({ contacts: await pushContacts(needs) })}\n`);
  },
});
