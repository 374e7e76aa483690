import type { Database } from '@platform/data';
import type { MediaUse } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { refusals } from '../../refusals';
import type {
  BroadcastAction,
  BroadcastAnswer,
  BroadcastProgress,
  CampaignsRepository,
  SendBroadcast,
} from '../campaigns/public';
import type { Fleet, ReadyDevices } from '../devices/public';
import { demandCapabilities } from '../registry/public';
import type { BroadcastComposer } from './broadcast.composer';
import type { BroadcastNews } from './broadcast.news';
import { readBroadcast } from './broadcast.request';

export interface BroadcastsOptions {
  readonly database: Database;
  readonly campaigns: CampaignsRepository;
  readonly ready: ReadyDevices;
  readonly fleet: Pick<Fleet, 'here'>;
  readonly composer: BroadcastComposer;
  readonly news: BroadcastNews;
  readonly clock: Clock;
}

/** PostgreSQL takes no NUL, not even in a query. */
const isName = (id: string): boolean => !id.includes('\0');

/** One text or file for many, sent through the campaign lane of a device (design 3.6). */
export class BroadcastsService {
  constructor(private readonly options: BroadcastsOptions) {}

  async send(body: SendBroadcast): Promise<BroadcastAnswer> {
    const { ready, composer, campaigns, database, clock } = this.options;
    const wanted = readBroadcast(body, clock.now());
    const { line } = await ready.find(body);
    demandCapabilities(line.engine, [(body.type as MediaUse | undefined) ?? 'text']);
    const before = body.broadcast_id === undefined ? undefined : await this.before(body.broadcast_id);
    if (before) return before;
    const broadcast = await composer.compose(body, wanted, line);
    const isNew = await database.tx((tx) => campaigns.add(tx, broadcast));
    line.campaigns.wake();
    const { broadcastId, answer } = broadcast;
    return isNew ? answer : ((await this.before(broadcastId)) ?? answer);
  }

  async progress(broadcastId: string): Promise<BroadcastProgress> {
    const { campaigns, news } = this.options;
    const row = isName(broadcastId) ? await campaigns.find(broadcastId) : undefined;
    if (!row) throw refusals.broadcastNotFound();
    return news.of(row);
  }

  /** An ended broadcast stays as it is; its progress says so. */
  async act(broadcastId: string, action: BroadcastAction): Promise<BroadcastProgress> {
    const { campaigns, fleet, news } = this.options;
    const row = isName(broadcastId) ? await campaigns.act(broadcastId, action) : undefined;
    if (!row) return this.progress(broadcastId);
    (await fleet.here(row.instanceId))?.campaigns.wake();
    return news.tell(row);
  }

  private async before(broadcastId: string): Promise<BroadcastAnswer | undefined> {
    const known = await this.options.campaigns.find(broadcastId);
    return known && { ...known.answer, duplicate: true };
  }
}
