import type { Sql, Transaction } from '@platform/data';
import { dataOf, type Endpoint } from '@platform/http';
import type { Caller } from '../../../abilities';
import type { byOf, Writer } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import type { Job } from '../../../imports/public';
import type { Queue } from '../../../jobs';
import type { PrivateFiles } from '../../media/links/public';
import { demandSpan } from '../figures/public';
import { ExportBody, ExportJob } from './files.dto';
import { addWanted, exportOf, reportRefusals } from './report.jobs';

interface Parts {
  readonly sql: Sql;
  readonly queue: Queue;
  readonly by: ReturnType<typeof byOf>;
  readonly privately: Pick<PrivateFiles, 'forMaker'>;
}

interface Queueing extends Pick<Parts, 'queue'> {
  readonly caller: Caller;
  readonly writer: Writer;
}

/** Has written what the report of that name shows the caller, in their transaction. Throws `too_many_reports`, and `InvalidInput` for the days. */
export const queueReport = async (
  tx: Transaction,
  { queue, caller, writer }: Queueing,
  body: ExportBody,
): Promise<Job> => {
  const { report, group, ...span } = body;
  const job = await addWanted(tx, writer, {
    ...{ report, ...(group && { group }), from: demandSpan(span).from, to: span.to },
    ...{ costs: caller.abilities.has('product.cost'), holder: writer.audit.actor },
    ...(caller.sight && { handledBy: caller.sight.handledBy }),
  });
  await queue.enqueue(tx, 'report.file', { storeId: caller.storeId, id: job.id });
  return job;
};

export const filesEndpoints = ({ sql, queue, by, privately }: Parts): Endpoint[] => [
  endpoint({
    post: '/api/report/export',
    summary: 'Queue a report file',
    description: 'What the report of that name shows the caller, as a file; once for each `Idempotency-Key`.',
    tag: 'Reports',
    guard: 'report.read',
    status: 202,
    idempotency: 'optional',
    body: ExportBody,
    reply: dataOf(ExportJob),
    refuses: ['unavailable', reportRefusals.tooMany],
    handle: (input) =>
      input.once(async (tx) => {
        const job = await queueReport(tx, { queue, caller: input.caller, writer: by(input) }, input.body);
        return { ...job, url: null };
      }),
  }),
  endpoint({
    get: '/api/report/export/{id}',
    summary: 'Report file status and link',
    description:
      'For whoever asked for the file. It can be opened for a day by the link, as long as they may read reports, and see what is in it.',
    tag: 'Reports',
    guard: 'report.read',
    reply: dataOf(ExportJob),
    refuses: ['notFound', 'unavailable'],
    handle: async (input) => {
      const { storeId, actor } = input.caller;
      const { job, mediaId, shows } = await exportOf(sql, storeId, { id: input.params.id, maker: actor });
      const { actor: holder } = by(input).audit;
      const url = mediaId === null ? null : await privately.forMaker({ storeId, mediaId, holder, shows });
      return { ...job, url };
    },
  }),
];
