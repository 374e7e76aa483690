import type { Sql } from '@platform/data';
import { dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
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
    handle: (input) => {
      const { caller, body } = input;
      const { report, group, ...span } = body;
      const writer = by(input);
      const wanted = {
        ...{ report, ...(group && { group }), from: demandSpan(span).from, to: span.to },
        ...{ costs: caller.abilities.has('product.cost'), holder: writer.audit.actor },
        ...(caller.sight && { handledBy: caller.sight.handledBy }),
      };
      return input.once(async (tx) => {
        const job = await addWanted(tx, writer, wanted);
        await queue.enqueue(tx, 'report.file', { storeId: caller.storeId, id: job.id });
        return { ...job, url: null };
      });
    },
  }),
  endpoint({
    get: '/api/report/export/{id}',
    summary: 'Report file status and link',
    description:
      'For whoever asked for the file. It can be opened for a day by the link, as long as they may read reports.',
    tag: 'Reports',
    guard: 'report.read',
    reply: dataOf(ExportJob),
    refuses: ['notFound', 'unavailable'],
    handle: async (input) => {
      const { storeId, actor } = input.caller;
      const { job, mediaId } = await exportOf(sql, storeId, { id: input.params.id, maker: actor });
      const url = mediaId === null ? null : await privately.forMaker(storeId, mediaId, by(input).audit.actor);
      return { ...job, url };
    },
  }),
];
