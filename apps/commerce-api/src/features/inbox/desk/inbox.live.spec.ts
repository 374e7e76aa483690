// The inbox as it lives, with chat-backend as a process beside it: what a page is told, by whom it is not heard, and how it is repaired.
import { environment } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { startSecondProcess } from '../../../second-process.fixture';
import type { Events } from '../../../web/live/live.fixture';
import { startInboxWorld } from '../inbox.fixture';
import { agentIn, bubblesIn, newTeam, textsIn, type Agent } from './desk.fixture';

const world = useRunning(startInboxWorld);

const PHONE = '6281234567890';
const at = ({ id }: { readonly id: string }) => `/chats/${id}`;

const begun = async (text = 'halo') => {
  const shop = await world.store();
  const chat = await shop.written(PHONE, text);
  const rina = await agentIn(world, shop, '3');
  return { shop, chat, rina };
};

/** What a page has after all it was told: bubbles by their id, in the order of their places. */
const shownAfter = ({ html }: Pick<Events, 'html'>): string[] => {
  const all = [...html().matchAll(/<li id="m-[^"]+" class="bubble[^"]*" data-seq="(\d+)">.*?<\/small><\/li>/g)];
  const bySeq = new Map(all.map(([bubble, seq]) => [Number(seq), bubble]));
  return [...bySeq].sort(([one], [other]) => one - other).map(([, bubble]) => bubble);
};
const bubblesOf = (page: string): string[] =>
  [...page.matchAll(/<li id="m-[^"]+" class="bubble[^"]*" data-seq="\d+">.*?<\/small><\/li>/g)].map(
    ([bubble]) => bubble,
  );

it('a page is told what happens as the HTML that it would show itself', async () => {
  const { shop, chat, rina } = await begun();
  const heard = await rina.listen(`${at(chat)}?view=all`);
  expect([heard.status, heard.headers.get('content-type'), heard.headers.get('cache-control')]).toEqual([
    ...[200, 'text/event-stream', 'no-store'],
  ]);
  await shop.writes(PHONE, 'masih ada?');
  await rina.browser.get(at(chat));
  await rina.browser.post(`${at(chat)}/messages`, { text: 'ada' });
  await until(() => textsIn(heard.html()).includes('ada') && heard.html().includes('Anda menangani chat ini'));
  const { text } = await rina.browser.get(`${at(chat)}?view=all`);
  expect(shownAfter(heard)).toEqual(bubblesOf(text));
  const id = bubblesIn(text).at(-1) ?? '';
  await fetch(`${world.chat.url}/v1/callback_message`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{
        instanceID: shop.instance,
        number: `${PHONE}@s.whatsapp.net`,
        id,
        report: 'true',
        status: 'viewed',
        result: 'true',
      },
    }),
  });
  await until(() => heard.html().includes(`id="t-${id}" class="ticks ticks-viewed"`));
  expect((await rina.browser.get(at(chat))).text).toContain(`id="t-${id}" class="ticks ticks-viewed"`);
  await heard.close();
});

it('the list is told of chats that come, change and go, by the view that it shows', async () => {
  const { shop, chat, rina } = await begun();
  const heard = await rina.listen('/chats?view=free');
  await shop.writes('6281234567891', 'baru');
  await until(() => heard.html().includes('baru'));
  await rina.browser.get(at(chat));
  await rina.browser.post(`${at(chat)}/action`, { action: 'take' });
  await until(() => heard.events.some(({ name, data }) => name === 'gone' && String(data.id).startsWith(shop.storeId)));
  await heard.close();
});

it('nobody is told of a chat that their page would refuse, nor after it has gone to another team, nor after they have', async () => {
  const { shop, chat, rina } = await begun();
  await newTeam(world, shop, '4');
  const [foreign, boss] = [await agentIn(world, shop, '9'), await agentIn(world, shop)];
  expect((await foreign.listen(at(chat))).status).toBe(404);
  const [list, mine, all] = await Promise.all([
    foreign.listen('/chats?view=all'),
    rina.listen(`${at(chat)}?view=all`),
    boss.listen(`${at(chat)}?view=all`),
  ]);
  await shop.writes(PHONE, 'untuk tim tiga');
  await until(() => [mine, all].every(({ html }) => html().includes('untuk tim tiga')));
  await boss.browser.get(at(chat));
  await boss.browser.post(`${at(chat)}/action`, { action: 'move', team_id: '4' });
  await until(() => all.events.some(({ name }) => name === 'moved'));
  await shop.writes(PHONE, 'rahasia tim empat');
  await until(() => all.html().includes('rahasia tim empat'));
  expect([list, mine].map(({ html }) => html().includes('rahasia'))).toEqual([false, false]);
  expect(list.html()).not.toContain('untuk tim tiga');
  // Whoever loses the right is told nothing more within seconds
  await world.commerce.database.query(`UPDATE membership SET system_role = 'warehouse' WHERE user_id = $1`, [
    boss.userId,
  ]);
  await all.over;
  expect((await boss.listen(at(chat))).status).toBe(403);
  await Promise.all([list.close(), mine.close()]);
});

it('hostile texts are as harmless in what is told as on the page', async () => {
  const { shop, chat, rina } = await begun();
  const heard = await rina.listen(`${at(chat)}?view=all`);
  const hostile = `</li><script>alert(1)</script>\n\nevent: moved\ndata: {"to":"//x"}\n\n<img src=x onerror=alert(1)>\u202e`;
  await shop.writes(PHONE, hostile);
  await until(() => heard.html().includes('&lt;img src=x'));
  expect(heard.html()).not.toMatch(/<script>alert|<img src=x/);
  expect(heard.events.map(({ name }) => name)).not.toContain('moved');
  await heard.close();
});

/** A page as a browser keeps it: it comes back whenever its events have ended, and has what it was told since it was opened. */
const staying = (agent: Agent, path: string) => {
  const heard: Events[] = [];
  let isClosed = false;
  const stay = async (): Promise<void> => {
    while (!isClosed) {
      const events = await agent.listen(path);
      if (!isClosed) heard.push(events);
      await events.over;
    }
  };
  const over = stay().catch(() => undefined);
  return {
    html: () => heard.map((events) => events.html()).join('\n'),
    statuses: () => heard.map(({ status }) => status),
    close: async () => {
      isClosed = true;
      await heard.at(-1)?.close();
      await over;
    },
  };
};

const seqsIn = (bubbles: readonly string[]): number[] =>
  [...bubbles.join('').matchAll(/data-seq="(\d+)"/g)].map(([, seq]) => Number(seq));

it('a burst of a hundred, with chat-backend killed in it: the page that comes back ends as a fresh one', async () => {
  const { shop, chat, rina } = await begun('pesan 0');
  const path = `${at(chat)}?view=all`;
  const page = staying(rina, path);
  await until(() => page.statuses().length > 0);
  const send = (from: number, to: number) =>
    Promise.all(Array.from({ length: to - from }, (_, n) => shop.writes(PHONE, `pesan ${from + n}`)));
  /** The page shows these messages and ends as one that is opened now, of which nothing is missing. */
  const isWhole = async (count: number): Promise<void> => {
    await until(() => seqsIn(shownAfter(page)).at(-1) === count);
    const fresh = bubblesOf((await rina.browser.get(path)).text);
    await until(() => JSON.stringify(shownAfter(page).slice(-fresh.length)) === JSON.stringify(fresh));
    expect(seqsIn(fresh)).toEqual(Array.from({ length: 30 }, (_, n) => count - 29 + n));
  };
  await send(1, 50);
  await isWhole(50);
  await world.chat.kill();
  await until(() => page.statuses().includes(502));
  await world.chat.restart();
  await send(50, 80);
  await until(() => page.statuses().at(-1) === 200);
  await send(80, 101);
  await isWhole(101);
  await page.close();
});

it('one person has a few pages that live, and takes none from the others', async () => {
  const { shop, rina } = await begun();
  const pages = await Promise.all(Array.from({ length: 6 }, () => rina.listen('/chats')));
  const beyond = await rina.listen('/chats');
  const other = await (await agentIn(world, shop, '3')).listen('/chats');
  expect([pages.map(({ status }) => status), beyond.status, other.status]).toEqual([Array(6).fill(200), 429, 200]);
  await pages[0]?.close();
  await until(async () => {
    const again = await rina.listen('/chats');
    await again.close();
    return again.status === 200;
  });
  await Promise.all([...pages, other].map((page) => page.close()));
});

it('a session that is over is told nothing more', async () => {
  const { rina } = await begun();
  const heard = await rina.listen('/chats');
  await rina.browser.get('/chats');
  await rina.browser.post('/logout', {});
  await heard.over;
  expect((await rina.listen('/chats')).status).toBe(303);
});

it('a page of the store before is over when its session goes to another store', async () => {
  const { shop, rina } = await begun();
  const [other, { commerce }] = [await world.store(), world];
  await commerce.database.query(
    `INSERT INTO membership (store_id, user_id, system_role, created_at, updated_at) VALUES ($1, $2, 'cs', now(), now())`,
    [other.storeId, rina.userId],
  );
  const { users } = commerce.storeAuth;
  const user = users.get(rina.email);
  if (user) users.set(rina.email, { ...user, stores: [shop.storeId, other.storeId] });
  const heard = await rina.listen('/chats?view=all');
  await rina.browser.get('/dashboard');
  expect(await rina.browser.post('/switch-store', { store_id: other.storeId })).toMatchObject({ status: 303 });
  await until(heard.isOver);
  expect([shop.storeId, other.storeId].map((id) => heard.html().includes(id))).toEqual([true, false]);
});

it('a page is told the same by each of two processes, with Redis between them; one that stops ends its pages first, and one that is killed costs nothing', async () => {
  const { shop, chat, rina } = await begun();
  const { REDIS_URL } = environment;
  const settings = { CHAT_URL: world.chat.url, ...(REDIS_URL !== undefined && { REDIS_URL }) };
  const path = `${at(chat)}?view=all`;
  const here = await rina.listen(path);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const other = await startSecondProcess(world.commerce, settings);
    const there = await rina.listen(path, other.url);
    await shop.writes(PHONE, `sebelum ${signal}`);
    await until(() => [here, there].every(({ html }) => html().includes(`sebelum ${signal}`)));
    const [code] = await Promise.all([other.stop(signal), there.over]);
    // One that has to be ended by its own deadline says 1
    expect(code).toBe(signal === 'SIGTERM' ? 0 : null);
  }
  await shop.writes(PHONE, 'sesudahnya');
  await until(() => here.html().includes('sesudahnya'));
  expect(shownAfter(here)).toEqual(bubblesOf((await rina.browser.get(path)).text));
  await here.close();
});
