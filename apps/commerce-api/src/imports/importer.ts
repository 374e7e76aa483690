import type { Database, Transaction } from '@platform/data';
import { Forbidden, InvalidInput, TooMany, Unauthenticated, type Failure } from '@platform/errors';
import type { Upload } from '@platform/http';
import type { JobContext } from '@platform/jobs';
import { SharedPlaces, uuidv7, type Clock } from '@platform/runtime';
import type { Caller } from '../abilities';
import { auditOf } from '../audit';
import type { Writer } from '../by';
import { Access } from '../features/identity/access/public';
import { notifyDone } from '../job.notice';
import type { Queue } from '../jobs';
import type { ProgressTold } from '../live/public';
import { refusals } from '../refusals';
import type { ImportBody, ImportMode, Job } from './import.dto';
import type { ImportKind } from './import.kind';
import { jobOf, jobShown, keepPreview, takeBatch, writeJob, type ShownJob, type StoredJob } from './import.sql';
import { previewOf } from './preview';

const required = (field: string): Failure =>
  new InvalidInput([{ field, tag: 'required', message: `${field} is a required field` }]);

/** A preview holds its file in memory: this process reads so many at once, of different stores. */
const READINGS = { places: 3, most: 1 };
const RETRY_SECONDS = 5;
export const importRefusals = {
  busy: (): Failure =>
    new TooMany('Another file is being read: send this one again', { retryAfterSeconds: RETRY_SECONDS }),
} as const;

const isOpen = ({ state }: Pick<StoredJob, 'state'>): boolean => state === 'queued' || state === 'running';

/** After so many batches the imports of others have their turn. */
const BATCHES_IN_A_ROW = 25;

const MAY_NOT = { row: 0, field: '', tag: 'mayNot', message: 'Whoever started the import may not do this any more' };

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly progress: Pick<ProgressTold, 'tell'>;
}

/**
 * Imports of one kind: a file becomes a preview that has written nothing; its commit is a job that writes batch by batch, each in one transaction with its
 * disappearance from what is left. A killed one goes on where it was.
 */
export class Importer {
  private readonly readings = new SharedPlaces(READINGS);

  constructor(
    private readonly parts: Parts,
    readonly kind: ImportKind,
  ) {}

  /** A file becomes a preview; `{job_id, commit: true}` is its commit. */
  async start(caller: Caller, file: Upload | undefined, { mode = 'create', job_id, commit }: ImportBody): Promise<Job> {
    if (job_id !== undefined && !file) {
      if (commit) return this.commit(caller, job_id);
      throw required('commit');
    }
    if (!file) throw required('file');
    const leave = this.readings.take(caller.storeId);
    if (!leave) throw importRefusals.busy();
    return this.preview(caller, file, mode).finally(leave);
  }

  async find(storeId: string, id: string): Promise<ShownJob> {
    return jobShown(await jobOf(this.parts.database, storeId, { kind: this.kind.name, id }));
  }

  /** Writes what is left of it, in the name of who committed it. */
  async run(storeId: string, id: string, { signal, attempt, maxAttempts }: JobContext): Promise<void> {
    try {
      for (let left = BATCHES_IN_A_ROW; left > 0; left -= 1) {
        if (!(await this.parts.database.tx((tx) => this.batch(tx, storeId, id, left)))) return;
        signal.throwIfAborted();
      }
    } catch (error) {
      if (attempt === maxAttempts) await this.parts.database.tx((tx) => this.end(tx, storeId, id));
      throw error;
    }
  }

  private async preview(caller: Caller, { path }: Upload, mode: ImportMode): Promise<Job> {
    const { database, clock } = this.parts;
    const read = await previewOf(database, caller.storeId, this.kind, { path, mode });
    const { batches, errors, needs, total } = read;
    this.refuse(caller, needs);
    const { at, ...audit } = auditOf(caller, clock);
    const job = { id: uuidv7(), kind: this.kind.name, args: { mode, needs, audit }, total, errors: [...errors] };
    return jobShown(await database.tx((tx) => keepPreview(tx, { storeId: caller.storeId, at, batches, ...job })));
  }

  /** A second commit finds the first, and changes nothing. */
  private commit(caller: Caller, id: string): Promise<Job> {
    const { database, clock, queue } = this.parts;
    return database.tx(async (tx) => {
      const job = await jobOf(tx, caller.storeId, { kind: this.kind.name, id }, 'FOR UPDATE');
      this.refuse(caller, job.args.needs);
      if (job.state !== 'preview') return jobShown(job);
      const { at, ...audit } = auditOf(caller, clock);
      const queued = { ...job, state: 'queued' as const, args: { ...job.args, audit } };
      await writeJob(tx, caller.storeId, at, queued);
      await queue.enqueue(tx, 'import.commit', { storeId: caller.storeId, id });
      return jobShown(queued);
    });
  }

  private refuse(caller: Caller, needs: readonly string[]): void {
    const lacks = needs.find((ability) => !(caller.abilities as ReadonlySet<string>).has(ability));
    if (lacks !== undefined) throw refusals.abilityMissing(lacks);
  }

  /**
   * The next batch and its part of the job's row; whether there may be more. With the last that is `left` of this run the next
   * run is enqueued, behind those of others.
   */
  private async batch(tx: Transaction, storeId: string, id: string, left: number): Promise<boolean> {
    const job = await jobOf(tx, storeId, { kind: this.kind.name, id }, 'FOR UPDATE');
    if (!isOpen(job)) return false;
    const at = this.parts.clock.now();
    if (!(await this.stillMay(tx, job))) {
      await this.write(tx, storeId, at, { ...job, state: 'failed', errors: [...job.errors, MAY_NOT] });
      return false;
    }
    const items = await takeBatch(tx, storeId, id);
    const [errors, counts] = [[...job.errors], { created: 0, updated: 0, unchanged: 0, failed: 0, ...job.result }];
    const audit = { ...job.args.audit, at };
    const by: Writer = { storeId, actor: audit.actor.id, at, audit };
    for (const written of items ? await this.kind.write(tx, by, items, job.args.mode) : []) {
      if (typeof written === 'string') counts[written] += 1;
      else counts.failed += errors.push(...written) > 0 ? 1 : 0;
    }
    const done = job.done + (items ?? []).reduce((sum, { rows }) => sum + rows.length, 0);
    await this.write(tx, storeId, at, { ...job, state: items ? 'running' : 'done', done, errors, result: counts });
    const ended = { storeId, id, name: this.kind.name, url: `/${this.kind.name.split('.')[0]}` };
    if (!items) await notifyDone(tx, audit.actor, ended);
    if (items && left === 1) await this.parts.queue.enqueue(tx, 'import.commit', { storeId, id });
    return items !== undefined;
  }

  /** The request that committed it was long ago: a member who was disabled since writes nothing. */
  private stillMay(tx: Transaction, { args: { audit, needs } }: StoredJob): Promise<boolean> {
    return new Access(tx, this.parts.clock).again(audit.tenantId, audit.actor).then(
      ({ abilities, suspended }) => !suspended && needs.every((need) => abilities.has(need)),
      (error: unknown) => {
        if (error instanceof Forbidden || error instanceof Unauthenticated) return false;
        throw error;
      },
    );
  }

  private async end(tx: Transaction, storeId: string, id: string): Promise<void> {
    const job = await jobOf(tx, storeId, { kind: this.kind.name, id }, 'FOR UPDATE');
    // What failed may be the answer to the commit that ended it
    if (isOpen(job)) await this.write(tx, storeId, this.parts.clock.now(), { ...job, state: 'failed' });
  }

  private async write(tx: Transaction, storeId: string, at: Date, job: StoredJob): Promise<void> {
    await writeJob(tx, storeId, at, job);
    this.parts.progress.tell(tx, { storeId, userId: job.args.audit.actor.id }, jobShown(job));
  }
}
