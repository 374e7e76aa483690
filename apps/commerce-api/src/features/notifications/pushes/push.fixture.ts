import { generateKeyPairSync } from 'node:crypto';
import { until } from '@platform/testing';
import type { PushSandbox, SandboxBrowser } from '@platform/testing/push';
import { bearer, newMember, newStore, type Commerce } from '../../../commerce.fixture';
import { OWNER_ID } from '../../../clients/store-auth.fake';
import type { SystemRole } from '../../../roles';

const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }).d ?? '';

/** What the service needs to push to the browsers of a sandbox. */
export const pushSettingsFor = ({ url }: Pick<PushSandbox, 'url'>): Readonly<Record<string, string>> => ({
  VAPID_PRIVATE_KEY: newKey(),
  VAPID_SUBJECT: 'mailto:push@toko.example',
  PUSH_ALLOW_HOSTS: new URL(url).host,
});

/** The JSON that a worker reads. */
export interface ShownNews {
  readonly title: string;
  readonly body?: string;
  readonly url: string;
  readonly tag: string;
}

interface World {
  readonly commerce: Commerce;
  readonly sandbox: PushSandbox;
}

const PREFERENCES = '/api/notification/preferences';

/** As chat-backend tells it. */
const toldBy = (storeId: string, users: readonly string[], more: object) => ({
  ...{ id: 'told:new_chat:M1', kind: 'members_told', nohp: '6281230001111', chatId: `${storeId}.c1` },
  ...{ instance: 'dev1', team: '3', title: 'Budi', text: 'Ada ukuran 42?', users, ...more },
});

/** A store in which members are told by browsers. */
export const pushShop = async ({ commerce, sandbox }: World) => {
  const storeId = await newStore(commerce);
  const owner = { userId: OWNER_ID, token: commerce.storeAuth.userToken({ sub: OWNER_ID, store_id: storeId }) };
  const give = (token: string, body: object) => commerce.call('PUT', PREFERENCES, token, body);
  const subscribe = async (token: string, browser: SandboxBrowser, more: object = {}) => {
    const { endpoint, keys } = browser;
    return give(token, { push_subscription: { endpoint, keys, label: 'Chrome, Android' }, ...more });
  };
  /** How many of them were news. */
  const tellChats = async (told: readonly { readonly users: readonly string[] }[]): Promise<number> => {
    const service = bearer(commerce.storeAuth.serviceToken('chat-backend', storeId));
    const body = { store_id: storeId, events: told.map(({ users, ...more }) => toldBy(storeId, users, more)) };
    const { status, body: answer } = await commerce.post('/internal/chat-events', body, service);
    expect(status).toBe(200);
    return (answer as { data: { applied: number } }).data.applied;
  };
  return {
    ...{ storeId, owner, give, subscribe },
    /** A member who sits in team 3, with a browser that is told. */
    member: async (role: SystemRole = 'cs', teams: readonly string[] = ['3']) => {
      const one = await newMember(commerce, storeId, role);
      const seat = 'UPDATE membership SET chat_team_ids = $3 WHERE store_id = $1 AND user_id = $2';
      await commerce.database.query(seat, [storeId, one.userId, teams]);
      const browser = sandbox.browser();
      expect((await subscribe(one.token, browser)).status).toBe(200);
      return { ...one, browser };
    },
    shownPreferences: async (token = owner.token) =>
      ((await commerce.call('GET', PREFERENCES, token)).body as { data: { push: { devices: { id: string }[] } } }).data,
    tellChats,
    tellChat: (users: readonly string[], more: object = {}) => tellChats([{ users, ...more }]),
  };
};

export const newsOf = (sandbox: PushSandbox, { id }: SandboxBrowser): ShownNews[] =>
  sandbox.messages.filter(({ browser }) => browser === id).map(({ text }) => JSON.parse(text) as ShownNews);

const JOBS = `FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
  WHERE t.identifier IN ('push.send', 'notification.send')`;

/** Until nothing is left to send: what waits for another try is tried at once. */
export const allPushed = ({ database }: Commerce): Promise<unknown> =>
  until(async () => {
    const now = `UPDATE commerce_api_jobs._private_jobs j SET run_at = now() FROM commerce_api_jobs._private_tasks t
      WHERE t.id = j.task_id AND t.identifier = 'push.send' AND j.locked_at IS NULL AND j.run_at > now()`;
    await database.query(now);
    return (
      (await database.query(`SELECT 1 ${JOBS} AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL)`)).length ===
      0
    );
  });

/** Rows of the browsers of a store, by their labels. */
export const browsersOf = async ({ database }: Commerce, storeId: string): Promise<string[]> =>
  (
    await database.query<{ id: string }>('SELECT id FROM push_subscription WHERE store_id = $1 ORDER BY id', [storeId])
  ).map(({ id }) => id);
