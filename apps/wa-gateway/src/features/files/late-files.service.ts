import { setMaxListeners } from 'node:events';
import { type Component, type Logger, SharedPlaces, timeLimit } from '@platform/runtime';
import { isFinal, isOurDisk, type FileFetcher, type MediaReader } from './file.fetcher';
import type { LateFile, LateFilesRepository } from './late-files.repository';

export interface LateFilesOptions {
  readonly files: LateFilesRepository;
  readonly fetcher: FileFetcher;
  readonly logger: Logger;
}

/** Of the places for downloads (file.fetcher.ts) half, of all devices and of each: a chat waits for a file that has just come. */
const AT_ONCE = { places: 16, most: 4 };
/** Less than the shortest pause: a file is tried by one process at a time. */
const LIMIT_MS = 75_000;

/**
 * Fetches files that were promised: their messages went without them. Days long, with growing pauses; the rows remember it,
 * not the process. Devices wait for each other as little as possible: of one, few files are under way.
 */
export class LateFiles implements Component {
  readonly name = 'late files';
  private readonly ending = new AbortController();
  private readonly places = new SharedPlaces(AT_ONCE);
  private readonly rounds = new Map<string, Promise<void>>();

  constructor(private readonly options: LateFilesOptions) {
    // Every device that waits for a place listens to it
    setMaxListeners(0, this.ending.signal);
  }

  /** Whether a file will be there under this name; to ask brings it nearer. */
  expects(name: string): Promise<boolean> {
    return this.options.files.expect(name);
  }

  /** Tries what is due of the devices that run here, by their readers. One whose former round goes on is left to that. */
  async run(readers: ReadonlyMap<string, MediaReader>): Promise<void> {
    if (readers.size === 0 || this.ending.signal.aborted) return;
    const due = await this.options.files.due([...readers.keys()]);
    await Promise.all(due.map((instanceId) => this.tryDue(instanceId, readers.get(instanceId))));
  }

  async stop(): Promise<void> {
    this.ending.abort(new Error('the gateway ends'));
    await Promise.allSettled(this.rounds.values());
  }

  private async tryDue(instanceId: string, reader?: MediaReader): Promise<void> {
    if (!reader || this.rounds.has(instanceId)) return;
    const workers = Array.from({ length: AT_ONCE.most }, () => this.work(instanceId, reader));
    const round = Promise.all(workers).then(() => undefined);
    this.rounds.set(instanceId, round);
    await round.finally(() => this.rounds.delete(instanceId));
  }

  /** A file is claimed when there is a place for it: no try is lost by waiting. */
  private async work(instanceId: string, reader: MediaReader): Promise<void> {
    const { signal } = this.ending;
    for (let isDue = true; isDue && !signal.aborted;) {
      const leave = await this.places.acquire(instanceId, signal).catch(() => undefined);
      if (!leave) return;
      try {
        const file = await this.options.files.claim(instanceId);
        isDue = file !== undefined;
        if (file) await this.tryOne(file, reader);
      } finally {
        leave();
      }
    }
  }

  private async tryOne({ name, instanceId, ref, tries, isOld }: LateFile, reader: MediaReader): Promise<void> {
    const { files, fetcher, logger } = this.options;
    const about = { instance: instanceId, file: name, tries };
    try {
      await fetcher.fetch({ instanceId, ref, name }, reader, timeLimit(LIMIT_MS, this.ending.signal));
      await files.settle(name);
    } catch (cause) {
      if (this.ending.signal.aborted) return;
      if (isOurDisk(cause)) logger.error('a file of a message cannot be stored', { ...about, cause });
      else logger.warn('a file of a message could not be fetched', { ...about, cause });
      if (isFinal(cause) || isOld) await this.giveUp(name, about);
    }
  }

  private async giveUp(name: string, about: Readonly<Record<string, unknown>>): Promise<void> {
    this.options.logger.error('a file of a message is lost', about);
    await this.options.files.settle(name);
  }
}
