import type { Logger } from '@platform/runtime';
import type { CampaignsRepository } from '../campaigns/public';
import type { InboundMedia, LateFiles } from '../files/public';
import type { MessagesRepository } from '../messages/public';
import type { DeviceLine } from './device-line';

export interface LineRoundsOptions {
  readonly messages: Pick<MessagesRepository, 'withForgotten' | 'withUnacknowledged'>;
  readonly campaigns: Pick<CampaignsRepository, 'used'>;
  readonly media: Pick<InboundMedia, 'withWaiting' | 'resume'>;
  readonly lateFiles: Pick<LateFiles, 'run'>;
  /** ACK_TIMEOUT, how long WhatsApp may take to acknowledge a send. */
  readonly ackSeconds: number;
  readonly logger: Logger;
}

type Lines = readonly DeviceLine[];

const MEDIA_SILENCE_SECONDS = 90;

/**
 * What lines look for now and then. Mostly there is nothing: one statement asks for which lines there is, however many run here,
 * and only these look, one after the other. Never rejects.
 */
export class LineRounds {
  constructor(private readonly options: LineRoundsOptions) {}

  /** Accepted sends that a line has missed, callbacks whose files nobody fetches any more, campaigns that another process has begun. */
  async pickUpForgotten(lines: Lines): Promise<void> {
    const { messages, media, campaigns } = this.options;
    const unused = lines.filter((line) => line.campaigns.isUnused);
    await this.among(
      lines,
      (ids) => messages.withForgotten(ids),
      (line) => line.pickUpForgotten(),
    );
    await this.among(
      lines,
      (ids) => media.withWaiting(ids, MEDIA_SILENCE_SECONDS),
      ({ instanceId, engine }) => media.resume(instanceId, engine, MEDIA_SILENCE_SECONDS),
    );
    await this.among(
      unused,
      (ids) => campaigns.used(ids),
      async (line) => line.campaigns.wake(),
    );
  }

  /** Sends that nobody acknowledged; without a line there is nobody to do it. */
  chase(lines: Lines): Promise<void> {
    const { messages, ackSeconds } = this.options;
    const open = lines.filter(({ outgoing }) => outgoing.isOpen);
    return this.among(
      open,
      (ids) => messages.withUnacknowledged(ids, ackSeconds),
      (line) => line.chase(ackSeconds),
    );
  }

  /** Files that were promised. */
  fetchLateFiles(lines: Lines): Promise<void> {
    const readers = new Map(lines.map(({ instanceId, engine }) => [instanceId, engine]));
    return this.options.lateFiles.run(readers).catch(this.failed);
  }

  private async among(
    lines: Lines,
    find: (instanceIds: readonly string[]) => Promise<readonly string[]>,
    work: (line: DeviceLine) => Promise<unknown>,
  ): Promise<void> {
    if (lines.length === 0) return;
    const found = new Set(await find(lines.map(({ instanceId }) => instanceId)).catch(this.failed));
    for (const line of lines) if (found.has(line.instanceId)) await work(line).catch(this.failed);
  }

  private readonly failed = (cause: unknown): undefined =>
    void this.options.logger.warn('what waits could not be read; the next round looks again', { cause });
}
