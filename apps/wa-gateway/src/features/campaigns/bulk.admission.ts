import type { Database } from '@platform/data';
import { InvalidInput, type Failure } from '@platform/errors';
import type { EngineKind, Jid } from '../../engines/engine.types';
import { refusals } from '../../refusals';
import type { CallbackDraft } from '../callbacks/public';
import type { MessagesRepository, NewSend } from '../messages/public';
import type { CampaignsRepository } from './campaigns.repository';
import type { Pace } from './pace';
import type { Timetable } from './timetable';

export interface BulkOptions {
  readonly database: Database;
  readonly campaigns: CampaignsRepository;
  readonly messages: Pick<MessagesRepository, 'accept'>;
  readonly timetable: Timetable;
  /** BULK_QUEUE. */
  readonly places: number;
}

/** Where a single send goes that keeps a campaign's pace. */
export interface BulkSend {
  readonly kind: EngineKind;
  readonly pace: Pace;
}

/** Takes back what was stored: there was no place for it. */
class NoPlace extends Error {}

/** Lets single sends into the campaign lane, as many as there are places (design 3.6). */
export class BulkAdmission {
  constructor(private readonly options: BulkOptions) {}

  /** Throws what a caller should know before a file is fetched; `admit` decides. */
  async check(instanceId: string, chat: Jid, kind: EngineKind): Promise<void> {
    const { optedOut, waiting } = await this.options.campaigns.admission(instanceId, chat);
    if (optedOut) throw new InvalidInput([{ field: 'number', tag: 'opted_out', message: 'number opted out' }]);
    if (waiting >= this.options.places) throw await this.full(instanceId, kind);
  }

  /** False when the pesan_id was accepted before. Throws TooMany when there is no place. */
  async admit(send: NewSend, drafts: readonly CallbackDraft[], { kind, pace }: BulkSend): Promise<boolean> {
    const { database, campaigns, messages, places } = this.options;
    const { instanceId, id, chat } = send;
    const admitted = database.tx(async (tx) => {
      await campaigns.lock(tx, instanceId);
      if (!(await messages.accept(send, drafts, tx))) return false;
      const waiting = await campaigns.addSingle(tx, instanceId, id, chat, pace);
      if (waiting > places) throw new NoPlace();
      return true;
    });
    return admitted.catch(async (failure: unknown) => {
      throw failure instanceof NoPlace ? await this.full(instanceId, kind) : failure;
    });
  }

  private async full(instanceId: string, kind: EngineKind): Promise<Failure> {
    const retryAfterSeconds = await this.options.timetable.secondsToNextPlace(instanceId, kind);
    return refusals.broadcastsFull(retryAfterSeconds);
  }
}
