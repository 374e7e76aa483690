import { OWNER_ID } from './clients/store-auth.fake';
import type { Owners } from './walk.owners.fixture';
import { pictureForm, type Made, type Story } from './walk.fixture';

const GROUP = '120363000000000001@g.us';
const PLACE = { latitude: -6.8915, longitude: 107.6107, name: 'Toko Nusa', address: 'Jl. Dago 12, Bandung' };

/** One number of the shop and the people who answer it. */
export interface Line {
  readonly device_id: string;
  readonly instance: string;
  readonly team_id: string;
}

export const BUDI = '6281234567890';

/** Connects a number, as both services know it. */
export const openLine = async ({ ask }: Story, { copied }: Owners): Promise<Line> => {
  const team = await ask('POST /api/team_chat', { name: 'Layanan', distribution: 'manual' });
  await ask('PUT /api/team_chat/{id}/members', { user_ids: [OWNER_ID] }, team.id);
  await copied('teams', team.id);
  const device = { name: 'WA toko', chat_team_id: team.id };
  const { id, instance_id } = await ask<Made & { instance_id: string }>('POST /api/device', device);
  await copied('devices', instance_id);
  return { device_id: id, instance: instance_id, team_id: team.id };
};

const widget = async ({ tell }: Story, device_id: string): Promise<void> => {
  const look = {
    title: 'Tanya Toko Nusa',
    greeting: 'Halo Kak, cari sepatu apa?',
    color: '#128c7e',
    position: 'right',
  };
  await tell('PUT /api/livechat/widget', { enabled: true, ...look, device_id, allowed_hosts: ['toko-nusa.co.id'] });
  await tell('GET /api/livechat/widget');
};

const messages = async ({ tell, ask }: Story, { device_id, instance }: Line, { gateway }: Owners): Promise<void> => {
  const to = { device_id, to: '6281299887766' };
  await tell('POST /api/wa/send-message', { ...to, text: 'Kak Ani, pesanannya sudah siap diambil.' });
  const picture = await ask('POST /api/upload', pictureForm('file', 'topi.jpg', { purpose: 'message' }));
  await tell('POST /api/wa/send-media', { ...to, type: 'image', media_id: picture.id, caption: 'Topi Nusa hitam' });
  await tell('POST /api/wa/send-location', { ...to, ...PLACE });
  await tell('POST /api/wa/check-number', { phone: BUDI });
  const tracker = await ask('POST /api/tracker', { target: `https://wa.me/${BUDI}`, code: 'lebaran26' });
  const text = 'Halo, saya mau pesan topi';
  await tell('POST /api/wa/link', { phone: '6281100000001', text, tracker_id: tracker.id });
  await ask('POST /api/wa/send-message', { device_id, to: GROUP, text: 'Promo Lebaran mulai besok ya' });
  gateway.groups.set(`${instance} ${GROUP}`, { name: 'Pelanggan Toko Nusa', description: 'Info promo', size: 34 });
  await tell('GET /api/wa/groups', { device_id });
};

/** Customers write, and the shop writes to them. */
export const chat = async (story: Story, line: Line, owners: Owners): Promise<void> => {
  const { tell, refuse } = story;
  await widget(story, line.device_id);
  await owners.writes(line.instance, BUDI, 'Topi hitamnya masih ada?');
  const [budi] = await tell<Made[]>('GET /api/livechat/conversations', { unread: 'true' });
  const id = budi?.id ?? '';
  const reply = { type: 'text', text: 'Masih ada, Kak Budi. Mau dikirim ke alamat yang biasa?' };
  await tell('POST /api/livechat/conversations/{id}/messages', reply, id);
  await tell('GET /api/livechat/conversations/{id}/messages', { limit: 20 }, id);
  await tell('POST /api/livechat/conversations/{id}/assign', { user_id: OWNER_ID }, id);
  await messages(story, line, owners);
  await tell('POST /api/livechat/conversations/{id}/close', { note: 'Terjual satu topi' }, id);
  await refuse(409, 'POST /api/livechat/conversations/{id}/assign', { team_id: line.team_id }, id);
  await refuse(422, 'POST /api/livechat/conversations/{id}/messages', { type: 'image' }, id);
};
