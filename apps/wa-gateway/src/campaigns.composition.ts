import type { Clock, Logger } from '@platform/runtime';
import type { Config } from './config';
import type { Core } from './core.composition';
import type { EngineKind } from './engines/engine.types';
import { BroadcastComposer } from './features/broadcasts/broadcast.composer';
import { BroadcastNews } from './features/broadcasts/broadcast.news';
import { broadcastEndpoints } from './features/broadcasts/broadcasts.endpoints';
import { BroadcastsService } from './features/broadcasts/broadcasts.service';
import { BulkAdmission } from './features/campaigns/bulk.admission';
import { CampaignLane, type LanePort } from './features/campaigns/campaign.lane';
import { CampaignsRepository } from './features/campaigns/campaigns.repository';
import { LaneRelease } from './features/campaigns/lane-release';
import { laneRules } from './features/campaigns/lane-rules';
import { Pacing } from './features/campaigns/pacing';
import { Timetable } from './features/campaigns/timetable';
import type { DevicesService } from './features/devices/devices.service';
import type { Fleet } from './features/devices/fleet';
import type { ReadyDevices } from './features/devices/ready-devices';
import { KnownNumbers } from './features/registry/known-numbers';
import type { MediaService } from './features/outbound/media.service';
import { sendDrafts } from './features/messages/send-drafts';

const LOOK_AGAIN_MS = 30_000;

/** The campaign lanes, one per running device, and what single sends need of them. */
export const composeLanes = (config: Config, core: Core, { logger, clock }: { logger: Logger; clock: Clock }) => {
  const { database, messages, reports, announcer } = core;
  const campaigns = new CampaignsRepository(database);
  const known = new KnownNumbers(core.cache);
  const drafts = sendDrafts({
    reportsPending: config.WEBHOOK_SEND_PENDING,
    filesBaseUrl: config.FILES_BASE_URL ?? '',
  });
  const limits = { zone: config.TZ_DEFAULT, quiet: config.QUIET_HOURS, dailyLimit: config.BULK_DAILY_LIMIT };
  const rulesOf = (kind: EngineKind) => laneRules(kind, limits);
  const pacingOf = (kind: EngineKind) => new Pacing(rulesOf(kind), clock, Math.random);
  const timetable = new Timetable(campaigns, rulesOf, clock);
  const release = new LaneRelease({ database, campaigns, messages, reports, drafts });
  const parts = { campaigns, release, known, announcer, pacingOf, idleMs: LOOK_AGAIN_MS, logger };
  return {
    campaigns,
    known,
    drafts,
    timetable,
    laneOf: (line: LanePort) => new CampaignLane(line, parts),
    bulk: new BulkAdmission({ database, campaigns, messages, timetable, places: config.BULK_QUEUE }),
  };
};

interface Sending {
  readonly lanes: ReturnType<typeof composeLanes>;
  readonly ready: ReadyDevices;
  readonly mediaSending: MediaService;
  readonly devices: DevicesService;
  readonly fleet: Fleet;
}

/** Broadcasts over HTTP. */
export const composeBroadcasts = (
  config: Config,
  core: Core,
  { lanes, ready, mediaSending: media, devices, fleet }: Sending,
  clock: Clock,
) => {
  const { campaigns, timetable } = lanes;
  const { database, files, announcer } = core;
  const composer = new BroadcastComposer(media, files, timetable, config.DEFAULT_COUNTRY_CODE);
  const news = new BroadcastNews(devices, timetable, announcer, clock);
  return broadcastEndpoints(new BroadcastsService({ database, campaigns, ready, fleet, composer, news, clock }));
};
