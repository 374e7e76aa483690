import type { Clock, Logger } from '@platform/runtime';
import type { Config } from './config';
import type { Core } from './core.composition';
import type { EngineKind } from './engines/engine.types';
import { broadcastEndpoints } from './features/broadcasts/broadcasts.endpoints';
import { BroadcastsService } from './features/broadcasts/broadcasts.service';
import { BulkAdmission } from './features/campaigns/bulk.admission';
import { CampaignLane, type LanePort } from './features/campaigns/campaign.lane';
import { CampaignsRepository } from './features/campaigns/campaigns.repository';
import { laneRules } from './features/campaigns/lane-rules';
import type { DevicesService } from './features/devices/devices.service';
import type { Fleet } from './features/devices/fleet';
import { KnownNumbers } from './features/registry/known-numbers';
import type { AcceptanceService } from './features/outbound/acceptance.service';
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
  const shared = { database, campaigns, messages, rulesOf, clock };
  const parts = { ...shared, reports, known, announcer, drafts, random: Math.random, idleMs: LOOK_AGAIN_MS, logger };
  return {
    campaigns,
    known,
    drafts,
    rulesOf,
    laneOf: (line: LanePort) => new CampaignLane(line, parts),
    bulk: new BulkAdmission({ ...shared, places: config.BULK_QUEUE }),
  };
};

interface Sending {
  readonly lanes: ReturnType<typeof composeLanes>;
  readonly acceptance: AcceptanceService;
  readonly mediaSending: MediaService;
  readonly devices: DevicesService;
  readonly fleet: Fleet;
}

/** Broadcasts over HTTP. */
export const composeBroadcasts = (
  config: Config,
  core: Core,
  { lanes, acceptance, mediaSending: media, devices, fleet }: Sending,
  clock: Clock,
) => {
  const { campaigns, rulesOf } = lanes;
  const { database, files, announcer } = core;
  const countryCode = config.DEFAULT_COUNTRY_CODE;
  const parts = {
    database,
    campaigns,
    rulesOf,
    acceptance,
    media,
    files,
    devices,
    fleet,
    announcer,
    clock,
    countryCode,
  };
  return broadcastEndpoints(new BroadcastsService(parts));
};
