import { InvalidInput } from '@platform/errors';
import type { DeadRow, DeadSelection, Outbox } from '@platform/outbox';
import type { DevicesService } from '../devices/public';
import { lanesOf, type CallbackRow } from '../callbacks/public';
import type { DeadCallback, DeadPage, DeadQuery, ReplayDead } from './dead-callbacks.dto';

const PAGE = 50;

const itemOf = ({ eventId, payload, attempts, reason, diedAt }: DeadRow): DeadCallback => {
  const { instanceID, number, report, status } = (payload as CallbackRow).callback;
  return {
    event_id: eventId,
    instanceID,
    number,
    report,
    ...(status === undefined ? {} : { status }),
    attempts,
    last_error: reason,
    dead_at: diedAt.toISOString(),
  };
};

/** Dead callbacks: their list and their replay (design 2.3). */
export class DeadCallbacks {
  constructor(
    private readonly outbox: Pick<Outbox, 'dead' | 'replayAll'>,
    private readonly devices: Pick<DevicesService, 'resolve'>,
  ) {}

  /** Newest first; of all devices unless one is named. */
  async list({ instanceID, instance = instanceID, limit = PAGE, cursor }: DeadQuery): Promise<DeadPage> {
    const lanePrefix = instance === undefined ? '' : await this.lanesOf(instance);
    const rows = await this.outbox.dead({ limit: limit + 1, before: cursor, lanePrefix });
    const page = rows.slice(0, limit);
    return { items: page.map(itemOf), next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
  }

  async replay(wanted: ReplayDead): Promise<number> {
    return this.outbox.replayAll(await this.selection(wanted));
  }

  private async selection({
    event_id: eventId,
    instanceID,
    instance = instanceID,
    since,
  }: ReplayDead): Promise<DeadSelection> {
    if (eventId !== undefined) return { eventId };
    if (instance === undefined)
      throw new InvalidInput([{ field: 'event_id', tag: 'required_without', message: 'event_id is required' }]);
    return { lanePrefix: await this.lanesOf(instance), since: since === undefined ? undefined : new Date(since) };
  }

  private async lanesOf(instance: string): Promise<string> {
    return lanesOf((await this.devices.resolve(instance)).instanceId);
  }
}
