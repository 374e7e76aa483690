import { uuidv7 } from '@platform/runtime';
import { SERVICE } from './chat.fixture';
import { campaignRecord } from './features/broadcasts/broadcasts.fixture';
import { WAKTU, type WalkCases, type World } from './walk.records.fixture';

const content = { instance: 'dev1', team: '3', nama: 'Promo', pesan: 'Halo {{nama}}' };
const recipients = ({ ref }: World) => [{ nohp: ref.nohp }, { nohp: ref.nohp }, { nohp: 'bukan nomor' }];

const campaignOf = (id: string, more: object = {}) =>
  campaignRecord({
    broadcastId: `S1.${id}`,
    status: 'draft',
    total: 3,
    duplikat: 1,
    tidak_valid: 1,
    ...more,
  });
const NOBODY = { total: 0, valid: 0, duplikat: 0, tidak_valid: 0 };

const service = ({ chat }: World, method: string, path: string, body: object) =>
  chat.call(`/internal/broadcasts/${path}`, { method, token: chat.tokens.tokenFor(SERVICE), body });

/** A draft with recipients. */
const drafted = async (world: World, meta?: object): Promise<string> => {
  const id = uuidv7();
  await service(world, 'PUT', id, { store_id: 'S1', ...content, ...(meta ? { meta } : {}) });
  await service(world, 'POST', `${id}/recipients`, { store_id: 'S1', penerima: recipients(world) });
  return id;
};
/** Campaigns are for supervisors. */
const boss = ({ chat, spelling }: World) => (spelling === 'default' ? { token: chat.people.boss } : {});
const answer = (message: string, data?: unknown) => ({ result: true, message, ...(data ? { data } : {}) });

export const campaignCases: WalkCases = {
  'POST /v1/send_broadcast': (world) => {
    const broadcastId = uuidv7();
    return {
      ...boss(world),
      body: { ...content, penerima: recipients(world), broadcastId },
      answer: answer('success send broadcast', campaignOf(broadcastId, { status: 'sending' })),
    };
  },
  'POST /v1/broadcast/scheduler': (world) => {
    const broadcastId = uuidv7();
    const jadwal = new Date(Date.now() + 48 * 3600_000).toISOString().slice(0, 16).replace('T', ' ');
    return {
      ...boss(world),
      body: { ...content, penerima: recipients(world), broadcastId, jadwal },
      answer: {
        status: 'success',
        message: 'broadcast dijadwalkan',
        data: campaignOf(broadcastId, { status: 'scheduled', jadwal }),
      },
    };
  },
  'PUT /internal/broadcasts/{id}': () => {
    const id = uuidv7();
    return {
      path: `/internal/broadcasts/${id}`,
      body: { store_id: 'S1', ...content, meta: { audience: 'all' } },
      answer: answer('success save broadcast', campaignOf(id, { ...NOBODY, meta: { audience: 'all' } })),
    };
  },
  'DELETE /internal/broadcasts/{id}': async (world) => ({
    path: `/internal/broadcasts/${await drafted(world)}?store_id=S1`,
    answer: answer('success delete broadcast'),
  }),
  'PUT /internal/broadcasts/{id}/recipients': async (world) => {
    const id = await drafted(world);
    return {
      path: `/internal/broadcasts/${id}/recipients`,
      body: { store_id: 'S1', filling: uuidv7() },
      answer: answer('success fill broadcast', campaignOf(id, NOBODY)),
    };
  },
  'POST /internal/broadcasts/{id}/recipients': async (world) => {
    const id = uuidv7();
    await service(world, 'PUT', id, { store_id: 'S1', ...content });
    return {
      path: `/internal/broadcasts/${id}/recipients`,
      body: { store_id: 'S1', penerima: recipients(world) },
      answer: answer('success add recipients', campaignOf(id)),
    };
  },
  'POST /internal/broadcasts/{id}/action': async (world) => {
    const id = await drafted(world);
    return {
      path: `/internal/broadcasts/${id}/action`,
      body: { store_id: 'S1', aksi: 'cancel' },
      answer: answer('success cancel broadcast', campaignOf(id, { status: 'cancelled' })),
    };
  },
  'GET /internal/broadcasts': async (world) => {
    const id = await drafted(world, { page: 1 });
    const data = [campaignOf(id, { meta: { page: 1 } })];
    return {
      path: '/internal/broadcasts?store_id=S1&status=draft&limit=1',
      answer: { ...answer('success', data), next_cursor: expect.any(String) },
    };
  },
  'GET /internal/broadcasts/{id}': async (world) => {
    const id = await drafted(world);
    return { path: `/internal/broadcasts/${id}?store_id=S1`, answer: answer('success', campaignOf(id)) };
  },
  'GET /internal/broadcasts/{id}/recipients': async (world) => {
    const rest = { chatInboxId: null, waktu: WAKTU };
    const path = `/internal/broadcasts/${await drafted(world)}/recipients?store_id=S1`;
    const data = [
      { nohp: world.ref.nohp, nama: 'Budi', status: 'pending', error: null, ...rest },
      { nohp: 'bukan nomor', nama: null, status: 'skipped', error: expect.any(String), ...rest },
    ];
    return { path, answer: { ...answer('success', data), next_cursor: null } };
  },
};
