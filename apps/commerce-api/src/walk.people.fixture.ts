import { until } from '@platform/testing';
import { pictureForm, type Made, type Story } from './walk.fixture';

const MINUTE = 60_000;
const HOME = { name: 'Rumah', phone: '6281234567890', line: 'Jl. Merdeka 7', city: 'Bandung', postcode: '40111' };

const tags = async ({ tell, ask }: Story): Promise<Made> => {
  const vip = await tell('POST /api/tag', { name: 'Langganan', color: '#ffaa00' });
  await tell('PUT /api/tag/{id}', { name: 'VIP' }, vip.id);
  await tell('GET /api/tag');
  const old = await ask('POST /api/tag', { name: 'Lama' });
  await tell('DELETE /api/tag/{id}', undefined, old.id);
  return vip;
};

/** Buyers as the shop knows them. Returns one of them. */
export const knowPeople = async (story: Story): Promise<string> => {
  const { tell, ask } = story;
  const vip = await tags(story);
  const budi = await tell('POST /api/contact', {
    ...{ name: 'Budi Santoso', phone: '6281234567890', email: 'budi@example.com', birthday: '1990-05-17' },
    ...{ source: 'toko', custom: { ukuran: 42 } },
  });
  await tell('PUT /api/contact/{id}/tags', { tag_ids: [vip.id] }, budi.id);
  await tell('POST /api/contact/{id}/notes', { text: 'Minta dikirim sore' }, budi.id);
  const home = await tell('POST /api/contact/{id}/addresses', HOME, budi.id);
  const moved = { ...HOME, line: 'Jl. Merdeka 9' };
  await tell('PUT /api/contact/{id}/addresses/{addressId}', moved, budi.id, home.id);
  const office = await ask('POST /api/contact/{id}/addresses', { ...HOME, name: 'Kantor' }, budi.id);
  await tell('DELETE /api/contact/{id}/addresses/{addressId}', undefined, budi.id, office.id);
  await tell('PUT /api/contact/{id}', { source: 'pasar malam', birthday: null }, budi.id);
  await tell('GET /api/contact/{id}', undefined, budi.id);
  await tell('GET /api/contact/phone/{phone}', undefined, '0812-3456-7890');
  const again = await ask('POST /api/contact', { name: 'Budi S.', phone: '6281234567891' });
  await tell('POST /api/contact/merge', { keep_id: budi.id, merge_ids: [again.id] });
  const joko = await ask('POST /api/contact', { name: 'Joko', phone: '6281234567892' });
  await tell('POST /api/contact/bulk-tag', { ids: [budi.id, joko.id], add: [vip.id] });
  await tell('PUT /api/contact/{id}/block', { blocked: true, reason: 'spam' }, joko.id);
  await tell('GET /api/contact', { tag_ids: vip.id, blocked: 'false' });
  await tell('DELETE /api/contact/{id}', undefined, joko.id);
  return budi.id;
};

/** Who works in the shop. */
export const hirePeople = async ({ commerce, tell, ask }: Story): Promise<void> => {
  await tell('POST /api/profile/avatar', pictureForm('file', 'sari.jpg'));
  const email = 'rina@toko-nusa.example';
  const rina = await ask('POST /api/team/invite', { email, role_id: 'cs' });
  const links = () =>
    commerce.mails.flatMap(({ to, text }) => (to === email ? (/\/invitation\/(\S+)/.exec(text)?.[1] ?? []) : []));
  await until(async () => links().length === 1);
  commerce.clock.advance(MINUTE);
  await tell('POST /api/team/invitation/{id}/resend', undefined, rina.id);
  await until(async () => links().length === 2);
  await tell('POST /api/team/invitation/accept', { token: links()[1], password: 'a good passphrase', name: 'Rina' });
  const nobody = await ask('POST /api/team/invite', { email: 'salah@toko-nusa.example', role_id: 'cs' });
  await tell('DELETE /api/team/invitation/{id}', undefined, nobody.id);
};
