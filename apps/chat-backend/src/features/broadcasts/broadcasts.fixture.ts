import { randomUUID } from 'node:crypto';
import { until, type CallRequest, type CallResult, useRunning } from '@platform/testing';
import { SERVICE, startChat, type Chat, type StartOptions } from '../../chat.fixture';
import { WAKTU } from '../../walk.records.fixture';

export const CONTENT = { instance: 'dev1', team: '3', nama: 'Promo', pesan: 'Halo {{nama}}, kode {{kode}}{{kosong}}' };

export interface Campaign {
  readonly broadcastId: string;
  readonly status: string;
}

/** A chat-backend whose campaigns are made by a supervisor of S1. */
export interface CampaignTest extends Chat {
  /** As the supervisor. */
  send(path: string, body: unknown, request?: CallRequest): Promise<CallResult>;
  /** As commerce-api, under `/internal/broadcasts`. */
  internal(method: string, path: string, body?: unknown): Promise<CallResult>;
  /** The stored campaign, as commerce-api sees it. */
  campaign(id: string): Promise<Campaign>;
  /** Waits until the campaign is in this state. */
  reaches(id: string, status: string): Promise<Campaign>;
  /** Recipients' numbers of the calls that the gateway got for this campaign's text. */
  numbers(): string[];
}

/**
 * No minute is over by itself: what every minute does would come between a test and what it has made due. By an update, because a time to come
 * that is inserted counts as the present one.
 */
const NO_MINUTES = [
  `INSERT INTO chat_backend_jobs._private_known_crontabs (identifier, known_since) VALUES ('timers * * * * *', now()) ON CONFLICT DO NOTHING`,
  `UPDATE chat_backend_jobs._private_known_crontabs SET last_execution = '2100-01-01' WHERE identifier = 'timers * * * * *'`,
];

export const startCampaigns = async (options: StartOptions = {}): Promise<CampaignTest> => {
  const chat = await startChat(options);
  for (const statement of NO_MINUTES) await chat.database.query(statement);
  const boss = chat.tokens.tokenFor({ sub: 'u-siti', role: 'supervisor', teams: [] });
  const service = chat.tokens.tokenFor(SERVICE);
  const internal: CampaignTest['internal'] = (method, path, body) =>
    chat.call(`/internal/broadcasts${path}`, { method, token: service, ...(body === undefined ? {} : { body }) });
  const campaign = async (id: string): Promise<Campaign> => {
    const store = id.split('.')[0];
    const { body } = await internal('GET', `/${id}?store_id=${store}`);
    return (body as { data: Campaign }).data;
  };
  return {
    ...chat,
    send: (path, body, request = {}) => chat.post(path, body, { token: boss, ...request }),
    internal,
    campaign,
    reaches: (id, status) =>
      until(
        () => campaign(id),
        (now) => now.status === status,
      ),
    numbers: () => chat.gateway.calls.map(({ number }) => number),
  };
};

/** The service for the tests of the surrounding suite; no call and no scripted answer of its gateway outlives a test. */
export const useCampaigns = (): CampaignTest => {
  const chat = useRunning(() => startCampaigns());
  beforeEach(() => {
    chat.gateway.calls.length = 0;
    chat.gateway.next.length = 0;
  });
  return chat;
};

/** The answered campaign of one recipient who got nothing yet. */
export const campaignRecord = (more: object = {}) => ({
  broadcastId: expect.stringMatching(/^S1\.[0-9a-f-]{36}$/) as unknown,
  nama: 'Promo',
  instance: 'dev1',
  team: '3',
  status: 'sending',
  total: 1,
  valid: 1,
  duplikat: 0,
  tidak_valid: 0,
  opt_out: 0,
  terkirim: 0,
  delivered: 0,
  viewed: 0,
  gagal: 0,
  jadwal: null,
  meta: null,
  waktu: WAKTU,
  ...more,
});

export const dataOf = ({ body }: CallResult): Campaign => (body as { data: Campaign }).data;

/** As many numbers as asked for, of a range of their own. */
export const people = (count: number, range = '6281'): { nohp: string }[] =>
  Array.from({ length: count }, (_, n) => ({ nohp: `${range}${String(n).padStart(8, '0')}` }));

export const newId = (): string => randomUUID();

/** A minute that has come for whoever looks at UTC+7, and one that will. */
export const wallClock = (minutesAhead: number): string =>
  new Date(Date.now() + 7 * 3_600_000 + minutesAhead * 60_000).toISOString().slice(0, 16).replace('T', ' ');
