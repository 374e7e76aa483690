import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { Writer } from '../../../by';
import { createReply, type ReplyParts } from '../../automation/replies/public';
import { createRule } from '../../automation/rules/public';
import { changeWelcome } from '../../automation/welcomes/public';
import type { ChatCopies } from '../../chat/copies/public';
import { seedDevice } from '../../devices/public';
import { seedChatTeams } from '../../team/chat-teams/public';
import type { DemoShop } from './demo-shop.types';

export interface ChatSideParts {
  readonly copies: ChatCopies;
  readonly files: ReplyParts['files'];
}

/** Nothing that a customer of the demo types before anybody has looked at it. */
const RULES = [
  {
    match: 'exact',
    keywords: ['jam buka', 'buka jam berapa'],
    reply: { text: 'Kami buka setiap hari 08.00-20.00 WIB.' },
  },
  { match: 'contains', keywords: ['alamat toko'], reply: { text: 'Toko Nusa, Jl. Merdeka 7, Bandung.' } },
] as const;
const REPLIES = [
  { shortcut: 'terima kasih', body: 'Terima kasih sudah berbelanja di Toko Nusa!' },
  { shortcut: 'ongkir', body: 'Ongkos kirim kami hitung setelah alamat lengkap, ya Kak.' },
] as const;
const WELCOME = { enabled: false, text: 'Halo! Ada yang bisa kami bantu?', once_per_hours: 24 };

const HAS_TEAMS = 'SELECT 1 FROM chat_team WHERE store_id = $1 LIMIT 1';

/**
 * Who answers the chats of the demo shop, over which device, and what is answered by itself: with the same ids as chat-backend has them, so
 * that to tell it changes nothing there. Nothing for a shop that has chat teams already.
 */
export const seedChatSide = async (
  tx: Sql,
  { copies, files }: ChatSideParts,
  at: Date,
  { store, owner, team, instance, device, ai_agent: agent }: Partial<DemoShop>,
): Promise<void> => {
  if (!store || !owner || !team) return;
  const storeId = store.store_id;
  if ((await tx.query(HAS_TEAMS, [storeId])).length > 0) return;
  const audit = {
    tenantId: storeId,
    actor: { id: 'seed', name: 'seed', kind: 'service' },
    at,
    ip: '127.0.0.1',
  } as const;
  const by: Writer = { storeId, actor: 'seed', at, audit };
  const supervisors = { id: 'supervisor', nama: 'Supervisor', kind: 'supervisor' } as const;
  const teams = [{ ...team, kind: 'cs' } as const, supervisors];
  await seedChatTeams(tx, copies, by, { teams, supervisor: owner.user_id });
  if (instance && device) {
    const linked = { number: device.nohp, chat_team_id: team.id, bot_agent_id: agent?.id ?? null };
    await seedDevice(tx, copies, by, { id: uuidv7(), instance_id: instance, name: device.nama, ...linked });
  }
  const parts = { copies, files };
  for (const rule of RULES) await createRule(tx, parts, by, { ...rule, keywords: [...rule.keywords] });
  for (const reply of REPLIES) await createReply(tx, parts, by, reply);
  await changeWelcome(tx, copies, by, WELCOME);
};
