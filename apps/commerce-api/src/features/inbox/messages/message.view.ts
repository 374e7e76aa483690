import type { ConversationMessage, messageStates } from './messages.dto';

/** As chat-backend tells of one. */
export interface ChatMessageRow {
  readonly pesan_id: string;
  readonly type: string;
  readonly pesan: string | null;
  readonly caption: string | null;
  readonly url: string | null;
  readonly latitude: string | null;
  readonly longitude: string | null;
  readonly locationName: string | null;
  readonly locationAddress: string | null;
  readonly matchedText: string | null;
  readonly fromMe: boolean;
  readonly role: string;
  readonly user_id: string | null;
  readonly name: string | null;
  readonly status_ack: (typeof messageStates)[number];
  readonly error: string | null;
  /** Seconds. */
  readonly timestamp: number;
}

/** Our names of chat-backend's fields. */
export const OWNER_NAMES = {
  ...{ nohp: 'to', instance: 'device_id', team: 'team_id', to_team: 'team_id', keyword: 'q' },
  ...{
    pesan: 'text',
    file: 'media_id',
    locationName: 'name',
    locationAddress: 'address',
    catatan: 'note',
    alasan: 'reason',
  },
};

/** A text with an address in it is a link where its sender has made it one. */
export const typeOf = (type: string, matchedText: string | null = null): string => {
  if (type === 'chat') return 'text';
  if (type !== 'extendedtext') return type;
  return matchedText === null ? 'text' : 'link';
};

const placeOf = ({
  latitude,
  longitude,
  locationName,
  locationAddress,
}: ChatMessageRow): ConversationMessage['location'] =>
  latitude === null || longitude === null
    ? null
    : { latitude, longitude, name: locationName, address: locationAddress };

export const shownMessage = (row: ChatMessageRow): ConversationMessage => ({
  ...{ id: row.pesan_id, type: typeOf(row.type, row.matchedText), text: row.pesan },
  ...{ media_url: row.url, caption: row.caption, location: placeOf(row), from_me: row.fromMe },
  ...{ author: row.name ?? row.user_id ?? row.role, status: row.status_ack, error: row.error },
  at: new Date(row.timestamp * 1000).toISOString(),
});
