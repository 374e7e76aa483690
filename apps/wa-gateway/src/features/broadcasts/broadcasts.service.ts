import type { Database } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { MediaUse } from '@platform/http';
import { uuidv7, type Clock } from '@platform/runtime';
import type { EngineKind, OutContent } from '../../engines/engine.types';
import { demandCapabilities } from '../registry/public';
import type { DevicesService, Fleet } from '../devices/public';
import type { FileStore } from '../files/public';
import type { AcceptanceService, MediaService } from '../outbound/public';
import { checkEngineLimits, isMedia } from '../messages/public';
import type { Announcer } from '../realtime/public';
import {
  progressOf,
  tellProgress,
  forecast,
  type BroadcastAnswer,
  type BroadcastProgress,
  type SendBroadcast,
  type BroadcastAction,
  type BroadcastRow,
  type CampaignsRepository,
  type NewBroadcast,
  type LaneSituation,
  type Stretch,
  type LaneRules,
} from '../campaigns/public';
import { sortRecipients } from './broadcast.recipients';
import { CAPTION_LIMIT, readBroadcast, TEXT_LIMIT, type WantedBroadcast } from './broadcast.request';

export interface BroadcastsOptions {
  readonly database: Database;
  readonly campaigns: CampaignsRepository;
  readonly rulesOf: (kind: EngineKind) => LaneRules;
  readonly acceptance: Pick<AcceptanceService, 'ready'>;
  readonly media: Pick<MediaService, 'fetched'>;
  readonly files: Pick<FileStore, 'keepFrom'>;
  readonly devices: Pick<DevicesService, 'resolve'>;
  readonly fleet: Pick<Fleet, 'here'>;
  readonly announcer: Pick<Announcer, 'tell'>;
  readonly clock: Clock;
  readonly countryCode: string;
}

const LONG_AGO = new Date(0);
/** A lane that nothing was ever in. */
const freshLane: LaneSituation = {
  nextAt: LONG_AGO,
  lastAt: LONG_AGO,
  day: '',
  sent: 0,
  batch: 0,
  restrictedUntil: null,
};

/** PostgreSQL cannot even be asked for a name with NUL in it. */
const isName = (id: string): boolean => !id.includes('\0');

interface Composing {
  readonly instanceId: string;
  readonly kind: EngineKind;
  readonly content: OutContent;
  /** Characters of what one recipient gets. */
  readonly longest: number;
}

/** One text or file for many, sent through the campaign lane of a device (design 3.6). */
export class BroadcastsService {
  constructor(private readonly options: BroadcastsOptions) {}

  async send(body: SendBroadcast): Promise<BroadcastAnswer> {
    const { acceptance, campaigns, database, clock } = this.options;
    const wanted = readBroadcast(body, clock.now());
    const kind = (body.type as MediaUse | undefined) ?? 'text';
    const { device, line } = await acceptance.ready(body);
    demandCapabilities(line.engine, [kind]);
    const before = body.broadcast_id === undefined ? undefined : await this.before(body.broadcast_id);
    if (before) return before;
    const content = await this.contentOf(body);
    checkEngineLimits(line.engine, content);
    const { instanceId } = device;
    const { kind: engine, limits } = line.engine;
    const longest = isMedia(content) ? CAPTION_LIMIT : Math.min(TEXT_LIMIT, limits?.textLength ?? TEXT_LIMIT);
    const broadcast = await this.compose(body, wanted, { instanceId, kind: engine, content, longest });
    const { broadcastId, answer } = broadcast;
    await this.keepFile(content, answer);
    const isNew = await database.tx((tx) => campaigns.add(tx, broadcast));
    line.campaigns.wake();
    return isNew ? answer : ((await this.before(broadcastId)) ?? answer);
  }

  async progress(broadcastId: string): Promise<BroadcastProgress> {
    const row = isName(broadcastId) ? await this.options.campaigns.find(broadcastId) : undefined;
    if (!row) throw new NotFound('broadcast not found');
    return this.describe(row);
  }

  /** One that has ended stays as it is: its progress says so. */
  async act(broadcastId: string, action: BroadcastAction): Promise<BroadcastProgress> {
    const { campaigns, fleet, announcer } = this.options;
    const row = isName(broadcastId) ? await campaigns.act(broadcastId, action) : undefined;
    if (!row) return this.progress(broadcastId);
    (await fleet.here(row.instanceId))?.campaigns.wake();
    const progress = await this.describe(row);
    tellProgress(announcer, row, progress);
    return progress;
  }

  private async before(broadcastId: string): Promise<BroadcastAnswer | undefined> {
    const known = await this.options.campaigns.find(broadcastId);
    return known && { ...known.answer, duplicate: true };
  }

  private async contentOf({ type, url, text = '' }: SendBroadcast): Promise<OutContent> {
    if (type === undefined || url === undefined) return { kind: 'text', text };
    return this.options.media.fetched(type as MediaUse, url, text === '' ? undefined : text);
  }

  /** The last recipient's file must be there as long as everybody's. */
  private async keepFile(content: OutContent, { estimated_finish: finish }: BroadcastAnswer): Promise<void> {
    if (isMedia(content) && finish !== null) await this.options.files.keepFrom(content.media.key, new Date(finish));
  }

  private async compose(
    body: SendBroadcast,
    { given, pace, startAt }: WantedBroadcast,
    { instanceId, kind, content, longest }: Composing,
  ): Promise<NewBroadcast> {
    const { broadcast_id: broadcastId = uuidv7(), text: template = '', daily_limit: dailyLimit } = body;
    const { countryCode } = this.options;
    const { accepted: recipients, rejected } = sortRecipients(given, {
      broadcastId,
      template,
      countryCode,
      longest,
    });
    const queued = recipients.length;
    const own: Stretch = { count: queued, pace, startAt, dailyLimit };
    const finish = queued === 0 ? null : await this.finishOf(instanceId, kind, own);
    const answer = { broadcast_id: broadcastId, total: given.length, queued, rejected, estimated_finish: finish };
    return {
      instanceId,
      broadcastId,
      content,
      pace,
      dailyLimit: dailyLimit ?? null,
      checkNumber: body.check_number ?? true,
      echo: body.echo ?? false,
      startAt,
      recipients,
      answer,
    };
  }

  /** Everything that begins earlier leaves first. */
  private async finishOf(instanceId: string, kind: EngineKind, own: Stretch): Promise<string> {
    const { campaigns, clock, rulesOf } = this.options;
    const now = clock.now();
    const [lane = freshLane, ahead] = await Promise.all([campaigns.lane(instanceId, now), campaigns.ahead(instanceId)]);
    const earlier = ahead.filter(({ startAt }) => (startAt ?? now) <= (own.startAt ?? now));
    return forecast(now, lane, rulesOf(kind), [...earlier, own]).toISOString();
  }

  private async describe(row: BroadcastRow): Promise<BroadcastProgress> {
    const { campaigns, clock, devices, rulesOf } = this.options;
    const now = clock.now();
    if (row.state !== 'running') return progressOf(row, now, undefined);
    const { broadcastId, instanceId } = row;
    const { engine } = await devices.resolve(instanceId);
    const [lane = freshLane, ahead] = await Promise.all([campaigns.lane(instanceId, now), campaigns.ahead(instanceId)]);
    const place = ahead.findIndex((stretch) => stretch.broadcastId === broadcastId);
    const own = ahead[place];
    // Single sends and a broadcast take turns; only broadcasts wait for one another
    const before = ahead.slice(0, place).filter((stretch) => stretch.broadcastId !== null);
    const next = own && forecast(now, lane, rulesOf(engine), [...before, { ...own, count: 1 }]);
    return progressOf(row, now, next);
  }
}
