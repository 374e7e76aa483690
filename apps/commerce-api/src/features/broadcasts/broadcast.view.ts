import type { Campaign, CampaignRecipient } from '../../clients/chat.broadcasts';
import type { Audience } from './audience.dto';
import type { Recipient } from './audience.sql';
import {
  USUAL_RATE,
  type Broadcast,
  type BroadcastMessage,
  type BroadcastState,
  type QuietHours,
} from './broadcasts.dto';

/** What chat-backend keeps of a campaign for us, as it was asked for. */
export interface BroadcastMeta {
  readonly device_id: string;
  readonly audience: Audience;
  readonly message: BroadcastMessage;
  readonly schedule_at: string | null;
  readonly rate_per_minute: number;
  readonly quiet_hours: QuietHours | null;
  /** Of the request that made it: another one under its key is refused. */
  readonly made_from: string;
}

export type BroadcastCampaign = Campaign<BroadcastMeta>;

/** As people see it; `starting`: somebody has sent it, and chat-backend has yet to hear so. */
export const shownBroadcast = (campaign: BroadcastCampaign, starting: boolean): Broadcast => {
  const { broadcastId, nama, meta, total, valid, terkirim, delivered, viewed, gagal } = campaign;
  return {
    id: broadcastId.slice(broadcastId.lastIndexOf('.') + 1),
    name: nama,
    device_id: meta?.device_id ?? null,
    audience: meta?.audience ?? null,
    message: meta?.message ?? null,
    schedule_at: meta?.schedule_at ?? null,
    rate_per_minute: meta?.rate_per_minute ?? USUAL_RATE,
    quiet_hours: meta?.quiet_hours ?? null,
    status: campaign.status as BroadcastState,
    starting: starting && campaign.status === 'draft',
    counts: {
      ...{ total, pending: valid - terkirim - gagal, sent: terkirim, delivered, viewed, failed: gagal },
      skipped: campaign.duplikat + campaign.tidak_valid + campaign.opt_out,
    },
  };
};

/** What the text of a message may name of whoever gets it. */
export const recipientOf = ({ name, phone, city, orders }: Recipient): CampaignRecipient => ({
  nohp: phone,
  ...(name === null ? {} : { nama: name }),
  params: { name: name ?? '', phone, city: city ?? '', orders },
});

const KNOWN: ReadonlySet<string> = new Set(['name', 'nama', 'phone', 'city', 'orders']);
const PLACEHOLDER = /\{\{\s*([\w.-]{1,64})\s*\}\}/g;

/** The first variable of a text that no recipient has. */
export const unknownVariable = (text: string): string | undefined =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name).find((name) => !KNOWN.has(name));
