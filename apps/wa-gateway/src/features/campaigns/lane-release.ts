import type { Database } from '@platform/data';
import type { MessageReports, MessagesRepository, NewSend, SendDrafts } from '../messages/public';
import { personal } from './broadcast-template';
import type { BroadcastRow, CampaignsRepository, Claim, LaneItem } from './campaigns.repository';

export interface ReleaseOptions {
  readonly database: Database;
  readonly campaigns: Pick<CampaignsRepository, 'claim' | 'book'>;
  readonly messages: Pick<MessagesRepository, 'accept'>;
  readonly reports: Pick<MessageReports, 'failure'>;
  readonly drafts: SendDrafts;
}

type Step = Pick<Claim, 'before' | 'after' | 'now'>;

/** Nothing for a single send: its message was stored when it was accepted. */
const messageOf = (instanceId: string, { id, chat, content, fields }: LaneItem, at: Date): NewSend | undefined => {
  if (!content) return undefined;
  const payload = { content: personal(content, fields ?? {}), options: {} };
  return { instanceId, chat, id, pesanId: null, role: 'broadcast', payload, hash: '', at };
};

/**
 * Takes items out of campaign lanes. What becomes of one is written together with its leaving the lane, so nobody gets two. Both ways
 * resolve to false when another process was quicker, and to the broadcast's progress when it is of one.
 */
export class LaneRelease {
  constructor(private readonly options: ReleaseOptions) {}

  /** It becomes a stored message like any other. */
  letOut(instanceId: string, item: LaneItem, step: Step): Promise<BroadcastRow | boolean> {
    const { database, campaigns, messages, drafts } = this.options;
    return database.tx(async (tx) => {
      const won = await campaigns.claim(tx, instanceId, item, { state: 'sent', ...step });
      const send = won ? messageOf(instanceId, item, step.now) : undefined;
      if (send) await messages.accept(send, drafts(send, item.echo), tx);
      return won;
    });
  }

  /** A recipient of a broadcast is skipped; a single send fails, and its sender is told (design 3.3). */
  async refuse(instanceId: string, item: LaneItem, cause: string, step: Step): Promise<BroadcastRow | boolean> {
    const { database, campaigns, reports } = this.options;
    if (item.broadcastId !== null)
      return database.tx((tx) => campaigns.claim(tx, instanceId, item, { state: 'skipped', cause, ...step }));
    await reports.failure(instanceId, item.id, { code: cause, retryable: false });
    await campaigns.book(instanceId, step.after);
    return true;
  }
}
