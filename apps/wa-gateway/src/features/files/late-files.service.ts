import { type Component, type Logger, timeLimit } from '@platform/runtime';
import { isFinal, isOurDisk, type FileFetcher, type MediaReader } from './file.fetcher';
import type { LateFile, LateFilesRepository } from './late-files.repository';

export interface LateFilesOptions {
  readonly files: LateFilesRepository;
  readonly fetcher: FileFetcher;
  readonly logger: Logger;
}

const AT_ONCE = 32;
/** Less than the shortest pause: a file is tried by one process at a time. */
const LIMIT_MS = 75_000;

/**
 * Fetches files that were promised: their messages went without them. Days long, with growing pauses; the rows remember it,
 * not the process.
 */
export class LateFiles implements Component {
  readonly name = 'late files';
  private readonly ending = new AbortController();
  private round: Promise<void> = Promise.resolve();

  constructor(private readonly options: LateFilesOptions) {}

  /** Whether a file will be there under this name; to ask brings it nearer. */
  expects(name: string): Promise<boolean> {
    return this.options.files.expect(name);
  }

  /** Tries what is due of the devices that run here, by their readers. */
  run(readers: ReadonlyMap<string, MediaReader>): Promise<void> {
    this.round = this.tryDue(readers);
    return this.round;
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.round.catch(() => undefined);
  }

  private async tryDue(readers: ReadonlyMap<string, MediaReader>): Promise<void> {
    while (readers.size > 0 && !this.ending.signal.aborted) {
      const due = await this.options.files.claim([...readers.keys()], AT_ONCE);
      await Promise.all(due.map((file) => this.tryOne(file, readers.get(file.instanceId))));
      if (due.length < AT_ONCE) return;
    }
  }

  private async tryOne({ name, instanceId, ref, tries, isOld }: LateFile, reader?: MediaReader): Promise<void> {
    const { files, fetcher, logger } = this.options;
    const about = { instance: instanceId, file: name, tries };
    try {
      if (reader) await fetcher.fetch({ instanceId, ref, name }, reader, timeLimit(LIMIT_MS, this.ending.signal));
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
