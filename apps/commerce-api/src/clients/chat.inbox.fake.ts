import type { IncomingMessage } from 'node:http';

/** The conversation that every store has at the fake. */
export const FAKE_CHAT = { instance: 'dev-1', team: '3', chatId: '0199f7a0-0000-7000-8000-0000000000c1' };

/** What would be markup, turn the line round, or be too long for its place. */
const HOSTILE = `<script>alert(1)</script>-"Sepatu"-\u202eEdisi-Ulang-Tahun-Kesepuluh-Warna-Hitam-Ukuran-Empat-Puluh-Dua`;
const AT = 1_795_157_100;
const MESSAGES = 30;
const KINDS = ['chat', 'image', 'document', 'location', 'sticker'] as const;
const STATES = ['pending', 'sent', 'delivered', 'viewed'] as const;

const storeOf = ({ headers: { authorization = '' } }: IncomingMessage): string => {
  const [, claims = ''] = authorization.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly store_id: string }).store_id;
};

const rowOf = (storeId: string) => ({
  ...{ ...FAKE_CHAT, chatId: `${storeId}.${FAKE_CHAT.chatId}`, nohp: '6281234567890', nama: HOSTILE },
  ...{ status: 'handle', user_id: '0199f7a0-0000-7000-8000-0000000000a1', user_nama: HOSTILE, unread: 120, version: 7 },
  ...{ last_seq: 60, last_pesan: `${HOSTILE} `.repeat(4), last_type: 'chat', last_fromMe: false },
  ...{ waiting_since: AT - 840, timestamp: AT, status_escalate: 'requested' },
});

/** A colleague is called. */
const HISTORY = [
  {
    ...{ event: 'request_escalate', actor_type: 'user', user_id: 'rina', user_nama: HOSTILE },
    ...{ team_to: '4', user_to: null, catatan: `${HOSTILE} `.repeat(8), timestamp: AT },
  },
];

const messageOf = (n: number) => {
  const type = KINDS[n % KINDS.length] ?? 'chat';
  const place = type === 'location' ? '-6.914744' : null;
  return {
    ...{
      pesan_id: `WA${n}`,
      seq: 31 + n,
      type,
      caption: null,
      url: null,
    },
    ...{ pesan: type === 'chat' ? `${HOSTILE} `.repeat(n === 0 ? 4 : 1) : null, filename: HOSTILE, matchedText: null },
    ...{ latitude: place, longitude: place, locationName: HOSTILE, locationAddress: null },
    ...{ fromMe: n % 2 === 0, role: n % 2 === 0 ? 'agent' : 'customer', user_id: null, name: HOSTILE },
    ...{ status_ack: STATES[n % STATES.length], error: n === 4 ? 'device_gone' : null, timestamp: AT + n },
  };
};

/** What chat-backend answers to whoever looks at their inbox; undefined: something else was asked. */
export const fakeInbox = (request: IncomingMessage): object | undefined => {
  if (request.url === '/v1/chat_list') return { result: true, data: [rowOf(storeOf(request))], next_cursor: null };
  if (request.url !== '/v1/chat_inbox') return undefined;
  const data = Array.from({ length: MESSAGES }, (_, n) => messageOf(n));
  return { result: true, data, chat_list: rowOf(storeOf(request)), history: HISTORY };
};
