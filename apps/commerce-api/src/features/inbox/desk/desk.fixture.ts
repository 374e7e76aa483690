import { openBrowser, PASSWORD } from '../../../web/browser.fixture';
import { openEvents } from '../../../web/live/live.fixture';
import type { startInboxWorld } from '../inbox.fixture';

export type World = Awaited<ReturnType<typeof startInboxWorld>>;
type Shop = Awaited<ReturnType<World['store']>>;

/** A member of these chat teams in a browser, as all services know them; without a team one who sees all chats. */
export const agentIn = async ({ commerce, chat }: World, { storeId, member }: Shop, ...teams: string[]) => {
  const { userId, sit } = await member(...teams);
  const email = `${userId}@toko-nusa.example`;
  const sees = teams.length > 0 ? { role: 'agent' as const, teams } : { role: 'supervisor' as const, teams };
  // Whatever copies it to chat-backend, and whenever, copies the same
  const name = `Rina ${userId.slice(-6)}`;
  const user = { password: PASSWORD, id: userId, nama: name, stores: [storeId], claims: sees };
  commerce.storeAuth.users.set(email, user);
  if (teams.length === 0)
    await commerce.database.query(`UPDATE membership SET system_role = 'admin' WHERE user_id = $1`, [userId]);
  await chat.database.query('UPDATE users SET nama = $2 WHERE user_id = $1', [userId, name]);
  const browser = openBrowser(commerce);
  await browser.get('/login');
  await browser.post('/login', { email, password: PASSWORD });
  return {
    ...{ userId, email, name, browser, sit },
    listen: (path: string, url = commerce.url) => openEvents(url, path, browser.cookies()),
  };
};
export type Agent = Awaited<ReturnType<typeof agentIn>>;

/** Another chat team, as both services know it. */
export const newTeam = async ({ commerce }: World, { storeId, there }: Shop, id: string): Promise<void> => {
  await there(`INSERT INTO teams (store_id, id, nama) VALUES ($1, $2, 'VIP')`, id);
  await commerce.database.query(
    `INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
     VALUES ($1, $2, 'VIP', 'cs', true, 'manual', now(), now())`,
    [storeId, id],
  );
};

/** The bubbles of a page, or of what it was told: their ids, in their order. */
export const bubblesIn = (html: string): string[] =>
  [...html.matchAll(/<li id="m-([^"]+)" class="bubble/g)].map(([, id = '']) => id);

export const textsIn = (html: string): string[] =>
  [...html.matchAll(/<p class="bubble-text"[^>]*>([^<]*)</g)].flatMap(([, text]) => text || []);

export const alertOf = (text: string): string => /class="alert bad"[^>]*>(?:<[^>]*>)*([^<]+)/.exec(text)?.[1] ?? '';
export const bandOf = (text: string): string => /class="band-text">([^<]*)</.exec(text)?.[1] ?? '';
export const at = ({ id }: { readonly id: string }): string => `/chats/${id}`;
export const PHONE = '6281234567890';

/** A chat that a customer has begun, and an agent of its team, with what they do on its page. */
export const begunIn = async (world: World, text = 'Ada ukuran 42?') => {
  const shop = await world.store();
  const chat = await shop.written(PHONE, text);
  const rina = await agentIn(world, shop, '3');
  const posting = (path: string) => async (fields: Record<string, string>, agent: Agent) => {
    await agent.browser.get(at(chat));
    return agent.browser.post(`${at(chat)}/${path}`, fields);
  };
  const reply = (text: string, agent: Agent = rina, more = {}) => posting('messages')({ text, ...more }, agent);
  const act = (action: string, agent: Agent = rina, more = {}) => posting('action')({ action, ...more }, agent);
  const sent = async () => (await world.sent(shop.storeId)).map(({ pesan }) => pesan);
  return { shop, chat, rina, reply, act, sent };
};
