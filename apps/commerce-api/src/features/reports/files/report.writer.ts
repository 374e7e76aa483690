import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '@platform/data';
import { Forbidden, Rejected, Unauthenticated, Unavailable } from '@platform/errors';
import { csvText } from '@platform/http';
import type { JobContext } from '@platform/jobs';
import type { Clock } from '@platform/runtime';
import type { HandledChats } from '../../../clients/chat.handled';
import type { ChatFigures } from '../../../clients/chat.stats';
import { notifyDone } from '../../../job.notice';
import type { CommerceJobs } from '../../../jobs';
import { Access } from '../../identity/access/public';
import type { MediaLibrary } from '../../media/uploads/public';
import { agentsOf, paymentsOf, productsOf, salesOf } from '../figures/public';
import { beginWanted, endWanted, failWanted, type Wanted } from './report.jobs';
import { columnsOf } from './tables';

export interface ReportWriterParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly library: Pick<MediaLibrary, 'keepMade'>;
  readonly chats: ChatFigures | undefined;
  readonly handled: HandledChats | undefined;
}

/** Another run of the same job was first. */
class Ended extends Error {}

/** Writes reports to files that only who asked for them can open, for a day. */
export class ReportWriter {
  constructor(private readonly parts: ReportWriterParts) {}

  /** The job: one file, however often it runs and wherever a run was killed; the file's row and the end of the job commit together. */
  async write({ storeId, id }: CommerceJobs['report.file'], { attempt, maxAttempts }: JobContext): Promise<void> {
    const { database, clock } = this.parts;
    const wanted = await beginWanted(database, storeId, id, clock.now());
    if (!wanted) return;
    try {
      await this.keep(storeId, id, await this.asSeenNow(storeId, wanted));
    } catch (failure) {
      if (failure instanceof Ended) return;
      const isLast = attempt >= maxAttempts;
      if (failure instanceof Rejected || isLast)
        await failWanted(database, storeId, clock.now(), id, isLast ? undefined : (failure as Error).message);
      if (!(failure instanceof Rejected)) throw failure;
    }
  }

  /** What waited for hours has no more in it than its maker may see by now. Throws `Rejected` for who may read no reports any more. */
  private async asSeenNow(storeId: string, wanted: Wanted): Promise<Wanted> {
    const { database, clock } = this.parts;
    const maker = await new Access(database, clock).again(storeId, wanted.holder).catch((failure: unknown) => {
      if (failure instanceof Forbidden || failure instanceof Unauthenticated) return undefined;
      throw failure;
    });
    if (!maker || maker.suspended || !maker.abilities.has('report.read'))
      throw new Rejected('Whoever asked for it may read no reports any more');
    const only = maker.sight && { handledBy: maker.sight.handledBy };
    return { ...wanted, ...only, costs: wanted.costs && maker.abilities.has('product.cost') };
  }

  private async keep(storeId: string, id: string, wanted: Wanted): Promise<void> {
    const { clock, library } = this.parts;
    const rows = await this.rowsOf(storeId, wanted);
    const folder = await mkdtemp(join(tmpdir(), 'report-'));
    const path = join(folder, 'report.csv');
    try {
      const text = csvText(columnsOf(wanted.report, wanted.costs), rows);
      await pipeline(Readable.from(text), createWriteStream(path));
      const at = clock.now();
      const file = { name: `${wanted.report}-${wanted.from}-${wanted.to}.csv`, mime: 'text/csv', extension: 'csv' };
      const made = { ...file, path, bytes: (await stat(path)).size, purpose: 'report' } as const;
      await library.keepMade({ storeId, actor: 'report.file', at }, made, async (tx, { id: mediaId }) => {
        if (!(await endWanted(tx, storeId, at, { id, rows: rows.length, mediaId, wanted }))) throw new Ended();
        await notifyDone(tx, wanted.holder, { storeId, id, name: file.name, url: '/reports' });
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  private async rowsOf(
    storeId: string,
    { report, group = 'day', from, to, handledBy }: Wanted,
  ): Promise<readonly object[]> {
    const { database, chats } = this.parts;
    const asked = { from, to, seen: handledBy === undefined ? undefined : await this.seenBy(storeId, handledBy) };
    if (report === 'sales') return salesOf(database, storeId, { ...asked, group });
    if (report === 'products') return productsOf(database, storeId, asked);
    if (report === 'payments') return paymentsOf(database, storeId, asked);
    return agentsOf(database, chats, storeId, { ...asked, only: handledBy });
  }

  private seenBy(storeId: string, userId: string): Promise<readonly string[]> {
    if (!this.parts.handled) throw new Unavailable('There is no chat-backend to tell whose chats these are');
    return this.parts.handled.of(storeId, userId);
  }
}
