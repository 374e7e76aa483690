import type { Database, Transaction } from '@platform/data';
import { InvalidInput, type Failure } from '@platform/errors';
import type { Upload } from '@platform/http';
import type { JobContext } from '@platform/jobs';
import { uuidv7, type Clock } from '@platform/runtime';
import type { Caller } from '../abilities';
import { auditOf } from '../audit';
import type { Writer } from '../by';
import type { Queue } from '../jobs';
import { refusals } from '../refusals';
import type { ImportBody, Job } from './import.dto';
import type { ImportKind } from './import.kind';
import { jobOf, jobShown, keepPreview, takeBatch, writeJob } from './import.sql';
import { previewOf } from './preview';

const required = (field: string): Failure =>
  new InvalidInput([{ field, tag: 'required', message: `${field} is a required field` }]);

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Queue;
}

/**
 * Imports of one kind: a file becomes a preview that has written nothing; its commit is a job that writes batch by batch, each in one transaction with its
 * disappearance from what is left. A killed one goes on where it was.
 */
export class Importer {
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
    const { database, clock } = this.parts;
    const { batches, errors, needs, total } = await previewOf(database, caller.storeId, this.kind, {
      path: file.path,
      mode,
    });
    this.refuse(caller, needs);
    const { at, ...audit } = auditOf(caller, clock);
    const job = { id: uuidv7(), kind: this.kind.name, args: { mode, needs, audit }, total, errors: [...errors] };
    return jobShown(await database.tx((tx) => keepPreview(tx, { storeId: caller.storeId, at, batches, ...job })));
  }

  async find(storeId: string, id: string): Promise<Job> {
    return jobShown(await jobOf(this.parts.database, storeId, { kind: this.kind.name, id }));
  }

  /** Writes what is left of it, in the name of who committed it. */
  async run(storeId: string, id: string, { signal, attempt, maxAttempts }: JobContext): Promise<void> {
    try {
      while (await this.parts.database.tx((tx) => this.batch(tx, storeId, id))) signal.throwIfAborted();
    } catch (error) {
      if (attempt === maxAttempts) await this.parts.database.tx((tx) => this.end(tx, storeId, id));
      throw error;
    }
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

  /** The next batch and its part of the job's row; whether there may be more. */
  private async batch(tx: Transaction, storeId: string, id: string): Promise<boolean> {
    const job = await jobOf(tx, storeId, { kind: this.kind.name, id }, 'FOR UPDATE');
    if (job.state !== 'queued' && job.state !== 'running') return false;
    const at = this.parts.clock.now();
    const items = await takeBatch(tx, storeId, id);
    const [errors, counts] = [[...job.errors], { created: 0, updated: 0, unchanged: 0, failed: 0, ...job.result }];
    const audit = { ...job.args.audit, at };
    const by: Writer = { storeId, actor: audit.actor.id, at, audit };
    for (const written of items ? await this.kind.write(tx, by, items, job.args.mode) : []) {
      if (typeof written === 'string') counts[written] += 1;
      else counts.failed += errors.push(...written) > 0 ? 1 : 0;
    }
    const done = job.done + (items ?? []).reduce((sum, { rows }) => sum + rows.length, 0);
    await writeJob(tx, storeId, at, { ...job, state: items ? 'running' : 'done', done, errors, result: counts });
    return items !== undefined;
  }

  private async end(tx: Transaction, storeId: string, id: string): Promise<void> {
    const job = await jobOf(tx, storeId, { kind: this.kind.name, id }, 'FOR UPDATE');
    await writeJob(tx, storeId, this.parts.clock.now(), { ...job, state: 'failed' });
  }
}
