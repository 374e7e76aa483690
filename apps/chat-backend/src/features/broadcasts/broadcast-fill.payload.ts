import type { CampaignKey } from './campaign.types';

/** The campaign to advance. */
export type BroadcastFillPayload = CampaignKey;
