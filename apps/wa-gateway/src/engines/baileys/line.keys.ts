import type { SignalDataSet, SignalDataTypeMap } from 'baileys';
import { LruCache, retry, type RetryOptions } from '@platform/runtime';
import type { AuthStore } from './auth.store';

const REMEMBERED = 500;
/** Of these the library makes new values and changes none in place; they are asked for with every message. */
const MEMORABLE: ReadonlySet<string> = new Set(['session', 'sender-key', 'lid-mapping', 'identity-key', 'tctoken']);

/**
 * The keys as one connection sees them. When it has ended it writes nothing any more: what it still works on comes again on
 * the next connection, and two writers of one ratchet would undo each other's steps.
 */
export class LineKeys {
  private readonly writing = new Set<Promise<void>>();
  private readonly remembered = new LruCache<string, { readonly value: unknown }>({ limit: REMEMBERED });
  private isOver = false;
  private readonly retrying: RetryOptions;

  constructor(
    private readonly store: AuthStore,
    retrying: RetryOptions,
  ) {
    // What fails after the end says nothing about the store: it must not end the connection that came after this one
    this.retrying = { ...retrying, isFinal: (cause) => this.isOver || (retrying.isFinal?.(cause) ?? false) };
  }

  get hasEnded(): boolean {
    return this.isOver;
  }

  /** Nobody else writes the keys of a device: what was read or written once need not be asked for again, absence included. */
  async get<T extends keyof SignalDataTypeMap>(
    type: T,
    ids: string[],
  ): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    const known = new Map(ids.map((id) => [id, this.remembered.get(`${type} ${id}`)]));
    const unknown = ids.filter((id) => !known.get(id));
    const read = unknown.length > 0 ? await retry(() => this.store.get(type, unknown), this.retrying) : {};
    // What was written meanwhile is newer
    for (const id of unknown) known.set(id, this.remembered.get(`${type} ${id}`) ?? this.remember(type, id, read[id]));
    const found = [...known].flatMap(([id, entry]) => (entry?.value == null ? [] : [[id, entry.value]]));
    return Object.fromEntries(found) as { [id: string]: SignalDataTypeMap[T] };
  }

  async set(data: SignalDataSet): Promise<void> {
    const write = retry(() => this.write(data), this.retrying);
    this.writing.add(write);
    await write.finally(() => this.writing.delete(write));
    for (const [type, entries] of Object.entries(data))
      for (const [id, value] of Object.entries(entries)) this.remember(type, id, value);
  }

  end(): void {
    this.isOver = true;
  }

  /** Resolves when nothing is on its way to the store any more. */
  async settled(): Promise<void> {
    this.end();
    await Promise.allSettled(this.writing);
  }

  private remember(type: string, id: string, value: unknown): { readonly value: unknown } {
    const entry = { value };
    if (MEMORABLE.has(type)) this.remembered.set(`${type} ${id}`, entry);
    return entry;
  }

  private async write(data: SignalDataSet): Promise<void> {
    if (this.isOver) throw new Error('the connection has ended');
    await this.store.set(data);
  }
}
