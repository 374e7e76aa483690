import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@platform/data';
import type { Outbox } from '@platform/outbox';
import { type Component, type Logger, timeLimit } from '@platform/runtime';
import type { MediaRef } from '../../engines/engine.types';
import { withFile, withoutFile, type CallbackRow } from '../callbacks/public';
import type { FileStore, StoredFile } from './file.store';

/** The part of an engine that reads what came with a message. */
export interface MediaReader {
  fetchMedia(ref: MediaRef, signal: AbortSignal): Promise<Readable>;
}

export interface InboundMediaOptions {
  readonly database: Database;
  readonly outbox: Pick<Outbox, 'unblock'>;
  readonly files: FileStore;
  /** FILES_BASE_URL; empty: `fileUrl` is a path. */
  readonly baseUrl: string;
  /** MEDIA_MAX_MB. */
  readonly maxMegabytes: number;
  readonly logger: Logger;
  /** Milliseconds before each try, 0, 2 s, 10 s and 30 s unless given. */
  readonly pausesMs?: readonly number[];
}

/** A callback that waits in its lane for its file. */
export interface WaitingRow {
  readonly id: string;
  readonly payload: CallbackRow;
}

/** Tries at 0, 2, 10 and 30 s; a chat waits 60 s at most for a file (design 3.7). */
const PAUSES_MS = [0, 2_000, 8_000, 20_000];
const LIMIT_MS = 60_000;

// A row that another process works on is left alone for longer than that can take
const WAITING = `
  SELECT id, payload FROM outbox_row
  WHERE state = 'blocked' AND lane >= $1 || '|' AND lane < $1 || '}' AND created_at < now() - $2 * interval '1 second' ORDER BY id`;

/**
 * Fetches the files of inbound messages, then lets their callbacks go: with the file, or without it and with the reason.
 * Later messages of the chat wait behind it. After a crash `resume` continues with the rows that still wait.
 */
export class InboundMedia implements Component {
  readonly name = 'inbound media';
  private readonly ending = new AbortController();
  private readonly flights = new Map<string, Promise<void>>();

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

  /** Takes up what waits for files of this device for longer than `olderThanSeconds`. */
  async resume(instanceId: string, reader: MediaReader, olderThanSeconds = 0): Promise<void> {
    for (const row of await this.options.database.query<WaitingRow>(WAITING, [instanceId, olderThanSeconds]))
      this.fetch(row, reader);
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.flights.values());
  }

  private async settle({ id, payload }: WaitingRow, reader: MediaReader): Promise<void> {
    const { database, outbox, baseUrl } = this.options;
    const { awaits } = payload;
    const file = awaits && (await this.tried(awaits, reader));
    if (this.ending.signal.aborted && !file) return;
    const row = file
      ? withFile(payload, { ...awaits, key: file.key, mimetype: file.mimetype, size: file.size }, baseUrl)
      : withoutFile(payload, 'the file could not be downloaded');
    await database.tx((tx) => outbox.unblock(tx, id, row));
  }

  private async tried(ref: MediaRef, reader: MediaReader): Promise<StoredFile | undefined> {
    const signal = timeLimit(LIMIT_MS, this.ending.signal);
    for (const milliseconds of this.options.pausesMs ?? PAUSES_MS) {
      try {
        await pause(milliseconds, undefined, { signal });
        const source = await reader.fetchMedia(ref, signal);
        return await this.options.files.receive(source, this.options.maxMegabytes * 1024 * 1024, signal);
      } catch (cause) {
        if (signal.aborted) return undefined;
        this.options.logger.warn('a file of a message could not be fetched', { key: ref.key, cause });
      }
    }
    return undefined;
  }
}
