import { uuidv7 } from '@platform/runtime';
import type { Commerce } from '../../commerce.fixture';
import { insertDevice } from '../devices/devices.sql';

type Make = (path: string, body: unknown) => Promise<{ readonly id: string }>;

/** A chat team, a device whose session the gateway has already, and what is answered by itself. */
export const chatSideOf = async (make: Make, storeId: string, { database }: Commerce) => {
  const team = await make('/team_chat', { name: 'CS' });
  const device = uuidv7();
  const row = { id: device, instance_id: `dev-${device}`, name: 'WA', number: null, bot_agent_id: null };
  const by = { storeId, actor: 'u1', at: new Date() };
  await database.tx((tx) => insertDevice(tx, by, { ...row, chat_team_id: team.id }));
  const rule = await make('/chatbot', { match: 'exact', keywords: ['harga'], reply: { text: 'Rp 1' } });
  const reply = await make('/response-template', { shortcut: 'salam', body: 'Halo' });
  return { chatTeam: team.id, device, rule: rule.id, reply: reply.id };
};
