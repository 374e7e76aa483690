import { setTimeout as pause } from 'node:timers/promises';
import { anyGathered, type Database, type Transaction } from '@platform/data';
import type { Outbox } from '@platform/outbox';
import { type Component, type Logger, timeLimit } from '@platform/runtime';
import { withFile, withLateFile, withoutFile, type CallbackRow } from '../callbacks/public';
import { isFinal, isOurDisk, reasonOf, type FileFetcher, type MediaReader, type WantedFile } from './file.fetcher';
import type { StoredFile } from './file.store';
import type { LateFilesRepository } from './late-files.repository';

export interface InboundMediaOptions {
  readonly database: Database;
  readonly outbox: Pick<Outbox, 'unblock'>;
  readonly fetcher: FileFetcher;
  readonly late: Pick<LateFilesRepository, 'add'>;
  /** FILES_BASE_URL; empty: `fileUrl` is a path. */
  readonly baseUrl: string;
  readonly logger: Logger;
  /** Milliseconds before each try, 0, 2 s, 10 s and 30 s unless given. */
  readonly pausesMs?: readonly number[];
}

/** A callback that waits in its lane for its file. */
export interface WaitingRow {
  readonly id: string;
  readonly payload: CallbackRow;
}

/** The file, or why it is not here. */
type Outcome = { readonly file: StoredFile } | { readonly failure: unknown };

/** Tries at 0, 2, 10 and 30 s; a chat waits 60 s at most for a file (design 3.7). */
const PAUSES_MS = [0, 2_000, 8_000, 20_000];
const LIMIT_MS = 60_000;

// A row that another process works on is left alone for longer than that can take
const WAITING = `
  SELECT id, payload FROM outbox_row
  WHERE state = 'blocked' AND lane >= $1 || '|' AND lane < $1 || '}' AND created_at < now() - $2 * interval '1 second' ORDER BY id`;

/** Those of the devices `$1` that such a row is of. */
const WITH_WAITING = `
  SELECT device AS id FROM unnest($1::text[]) AS device WHERE EXISTS (
    SELECT 1 FROM outbox_row
    WHERE state = 'blocked' AND lane >= device || '|' AND lane < device || '}' AND created_at < now() - $2 * interval '1 second'
  )`;

/**
 * Fetches the files of inbound messages, then lets their callbacks go: with the file, or with the address under which it will
 * be once it is had (late-files.service.ts), or without it and with the reason. Later messages of the chat wait behind it.
 * After a crash `resume` continues with the rows that still wait.
 */
export class InboundMedia implements Component {
  readonly name = 'inbound media';
  private readonly ending = new AbortController();
  private readonly flights = new Map<string, Promise<void>>();
  private readonly hasWaiting = anyGathered((instanceIds) => this.withWaiting(instanceIds, 0));

  constructor(private readonly options: InboundMediaOptions) {}

  /** Returns at once. */
  fetch(row: WaitingRow, reader: MediaReader): void {
    if (this.flights.has(row.id) || this.ending.signal.aborted) return;
    const failed = (cause: unknown): void =>
      this.options.logger.warn('a file of a message will be fetched later', { row: row.id, cause });
    const flight = this.settle(row, reader)
      .catch(failed)
      .finally(() => this.flights.delete(row.id));
    this.flights.set(row.id, flight);
  }

  /** Takes up what an earlier process left of a device that opens; asked for all that open at the same time at once. */
  async takeUp(instanceId: string, reader: MediaReader): Promise<void> {
    if (await this.hasWaiting(instanceId)) await this.resume(instanceId, reader);
  }

  /** Takes up what waits for files of this device for longer than `olderThanSeconds`. */
  async resume(instanceId: string, reader: MediaReader, olderThanSeconds = 0): Promise<void> {
    const sql = this.options.database;
    const values = [instanceId, olderThanSeconds];
    for (const row of await sql.prepared<WaitingRow>('media_waiting', WAITING, values)) this.fetch(row, reader);
  }

  /** Those of these devices of which anything waits for longer than `olderThanSeconds`. */
  async withWaiting(instanceIds: readonly string[], olderThanSeconds: number): Promise<string[]> {
    const sql = this.options.database;
    const values = [instanceIds, olderThanSeconds];
    return (await sql.prepared<{ id: string }>('media_with_waiting', WITH_WAITING, values)).map(({ id }) => id);
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.flights.values());
  }

  private async settle({ id, payload }: WaitingRow, reader: MediaReader): Promise<void> {
    const { database, outbox } = this.options;
    const { awaits: ref, callback } = payload;
    const wanted = ref && { instanceId: callback.instanceID, ref };
    const outcome = wanted ? await this.tried(wanted, reader) : { failure: undefined };
    if (this.ending.signal.aborted && !('file' in outcome)) return;
    await database.tx(async (tx) => {
      const row = wanted ? await this.rowOf(tx, payload, wanted, outcome) : withoutFile(payload, reasonOf(undefined));
      await outbox.unblock(tx, id, row);
    });
  }

  private async rowOf(tx: Transaction, payload: CallbackRow, wanted: WantedFile, outcome: Outcome) {
    const { late, baseUrl } = this.options;
    const { instanceId, ref } = wanted;
    if ('file' in outcome) {
      const { key, mimetype, size } = outcome.file;
      return withFile(payload, { ...ref, key, mimetype, size }, baseUrl);
    }
    const reason = reasonOf(outcome.failure);
    if (isFinal(outcome.failure)) return withoutFile(payload, reason);
    const key = await late.add(tx, instanceId, ref);
    return withLateFile(payload, { ...ref, key }, { baseUrl, reason });
  }

  private async tried(wanted: WantedFile, reader: MediaReader): Promise<Outcome> {
    const { fetcher, logger, pausesMs = PAUSES_MS } = this.options;
    const signal = timeLimit(LIMIT_MS, this.ending.signal);
    let failure: unknown;
    for (const milliseconds of pausesMs) {
      try {
        await pause(milliseconds, undefined, { signal });
        return { file: await fetcher.fetch(wanted, reader, signal) };
      } catch (cause) {
        // The end of the time says nothing about the file: what came before does
        if (signal.aborted) return { failure: failure ?? cause };
        failure = cause;
        const about = { instance: wanted.instanceId, cause };
        if (isOurDisk(cause)) logger.error('a file of a message cannot be stored', about);
        else logger.warn('a file of a message could not be fetched', about);
        if (isFinal(cause)) break;
      }
    }
    return { failure };
  }
}
