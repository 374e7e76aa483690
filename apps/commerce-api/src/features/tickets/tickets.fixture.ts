import { freePort, until } from '@platform/testing';
import { askDocumented, type Answered } from '../../asked.fixture';
import { bearer, newMember, newStore, startCommerce, type Commerce } from '../../commerce.fixture';
import { OWNER_ID } from '../../clients/store-auth.fake';
import { startOwner, type OwnerProcess } from '../../owner.fixture';

interface Both {
  readonly commerce: Commerce;
  readonly chat: OwnerProcess;
}

let messages = 0;
const AUDIENCE = ['store-auth', 'commerce-api', 'chat-backend'];

/** What chat-backend has to know of a store. */
const KNOWN: readonly (readonly [statement: string, ...values: ('store' | 'instance' | 'owner')[]])[] = [
  [`INSERT INTO stores (store_id, nama) VALUES ($1, 'Toko') ON CONFLICT DO NOTHING`, 'store'],
  [`INSERT INTO teams (store_id, id, nama) VALUES ($1, '3', 'CS')`, 'store'],
  [
    `INSERT INTO users (store_id, user_id, nama) VALUES ($1, $2, 'Sari') ON CONFLICT DO NOTHING`,
    ...(['store', 'owner'] as const),
  ],
  [
    `INSERT INTO devices (store_id, instance, nama, default_team_id) VALUES ($1, $2, 'WA', '3')`,
    ...(['store', 'instance'] as const),
  ],
  ['INSERT INTO device_route (instance, store_id) VALUES ($2, $1)', 'store', 'instance'],
];

const asker =
  (commerce: Commerce) =>
  (token: string, url = commerce.url) =>
  <Data = never>(method: string, path: string, body?: unknown, key?: string): Promise<Answered<Data>> => {
    const headers = bearer(token, key === undefined ? {} : { 'idempotency-key': key });
    return askDocumented<Data>(commerce, url, path, { method, body, headers });
  };

/** A message of a customer, as the gateway hands it over. */
export const writerTo =
  (chat: OwnerProcess, instance: string) =>
  async (nohp: string, text: string, id = `WA${(messages += 1)}`, more: object = {}): Promise<string> => {
    const data = new FormData();
    const fields = { instanceID: instance, result: 'true', report: 'false', type: 'chat', text, name: 'Budi', id };
    const unique = { number: `${nohp}@s.whatsapp.net`, timestamp: '1795157100' };
    for (const [field, value] of Object.entries({ ...fields, ...unique, ...more })) data.append(field, value);
    const answer = await fetch(`${chat.url}/v1/callback_message`, { method: 'POST', body: data });
    expect(await answer.json()).toMatchObject({ result: true });
    return id;
  };

/** Somebody who sits in these teams, as both services know it. */
const memberOf =
  ({ commerce, chat }: Both, storeId: string) =>
  async (...teams: string[]) => {
    const { userId } = await newMember(commerce, storeId, 'cs');
    const known = `INSERT INTO users (store_id, user_id, nama) VALUES ($1, $2, 'Rina')`;
    await chat.database.query(known, [storeId, userId]);
    const sit = async (...seats: string[]): Promise<void> => {
      const seated = 'UPDATE membership SET chat_team_ids = $3 WHERE store_id = $1 AND user_id = $2';
      await commerce.database.query(seated, [storeId, userId, seats]);
    };
    await sit(...teams);
    const claims = { sub: userId, store_id: storeId, role: 'agent' as const, teams, aud: AUDIENCE };
    const token = commerce.storeAuth.userToken(claims);
    return { userId, token, sit, ask: asker(commerce)(token) };
  };

/** A store that both know, with a device and a team, the calls of its owner and of its members, and a customer's messages. */
const storeOf = (both: Both) => async () => {
  const { commerce, chat } = both;
  const storeId = await newStore(commerce);
  const instance = `dev-${storeId}`;
  const named = { store: storeId, instance, owner: OWNER_ID };
  for (const [statement, ...names] of KNOWN)
    await chat.database.query(
      statement,
      names.map((name) => named[name]),
    );
  const askWith = asker(commerce);
  const owner = commerce.storeAuth.userToken({ store_id: storeId, aud: AUDIENCE });
  return {
    ...{ storeId, instance, ask: askWith(owner), askWith },
    /** The owner at another process. */
    askAt: (url: string) => askWith(owner, url),
    ...{ writes: writerTo(chat, instance), member: memberOf(both, storeId) },
  };
};

/** Until no event waits there or here. */
const settling = ({ commerce, chat }: Both) => {
  const waiting = async (storeId: string): Promise<number> => {
    const [open] = await commerce.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM chat_event WHERE store_id = $1 AND done_at IS NULL',
      [storeId],
    );
    const there = await chat.database.query(
      `SELECT 1 FROM chat_backend_jobs._private_jobs j JOIN chat_backend_jobs._private_tasks t ON t.id = j.task_id
       WHERE t.identifier = 'commerce.event'`,
    );
    return (open?.n ?? 0) + there.length;
  };
  return (storeId: string) =>
    until(
      () => waiting(storeId),
      (count) => count === 0,
    );
};

/** Jobs that wait for another try are due now; one that a killed process has held is free. */
const hurrying = (both: Both) => {
  const settled = settling(both);
  return async (storeId: string): Promise<void> => {
    for (const [{ database }, schema] of [
      [both.commerce, 'commerce_api_jobs'],
      [both.chat, 'chat_backend_jobs'],
    ] as const)
      await database.query(
        `UPDATE ${schema}._private_jobs SET run_at = now() WHERE attempts > 0 AND locked_at IS NULL`,
      );
    await settled(storeId);
  };
};

/** commerce-api with chat-backend itself; `more` are settings of commerce-api. */
export const startChatWorld = async (more: Readonly<Record<string, string>> = {}) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const commerce = await startCommerce({ CHAT_URL: url, CHAT_PUBLIC_URL: url, ...more }, new Date().toISOString());
  const chat = await startOwner(commerce, 'chat-backend', port, {
    ...{ DEVICE_POLL_S: '0', MEDIA_SECRET: 'm', WA_GATEWAY_URL: 'http://127.0.0.1:9' },
  });
  return {
    ...{ commerce, chat, store: storeOf({ commerce, chat }), settled: settling({ commerce, chat }) },
    /** The same without the pauses before another try. */
    hurried: hurrying({ commerce, chat }),
    /** What customers were sent there. */
    sent: (storeId: string): Promise<{ pesan: string; nohp: string }[]> =>
      chat.database.query(
        `SELECT m.pesan, c.nohp FROM messages m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id
         WHERE m.store_id = $1 AND m.from_me ORDER BY m.seq`,
        [storeId],
      ),
    stop: async () => {
      await chat.stop();
      await commerce.stop();
    },
  };
};
