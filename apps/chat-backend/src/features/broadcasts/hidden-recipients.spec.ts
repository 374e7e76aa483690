import { uuidv5 } from '@platform/runtime';
import { until } from '@platform/testing';
import { message, SERVICE } from '../../chat.fixture';
import { CONTENT, dataOf, useCampaigns, wallClock } from './broadcasts.fixture';

const chat = useCampaigns();

const PATH = '/v1/broadcast/scheduler';
const of = (n: number) => ({ hidden: `7300000${n}@lid`, number: `62873000000${n}` });
const hides = ({ hidden }: ReturnType<typeof of>) => chat.inbound({ number: hidden });
const shows = ({ hidden, number }: ReturnType<typeof of>, text: string) =>
  chat.inbound({ number: `${number}@s.whatsapp.net`, text, rawMessage: JSON.stringify({ lid: hidden }) });
const recipients = async (id: string) => {
  const { body } = await chat.internal('GET', `/${id.split('.')[1]}/recipients?store_id=S1`);
  return (body as { data: { nohp: string; status: string; error: string | null }[] }).data.map(
    ({ nohp, status, error }) => [nohp, status, error],
  );
};

/** Whoever is the recipient by this name has seen the message, as the gateway tells by the number. */
const sees = async (nohp: string, { number }: ReturnType<typeof of>) => {
  const find = 'SELECT pesan_id FROM broadcast_recipients WHERE nohp = $1';
  const [sent] = await chat.database.query<{ pesan_id: string }>(find, [nohp]);
  const ack = { number: `${number}@s.whatsapp.net`, report: 'true', id: sent?.pesan_id ?? '', status: 'viewed' };
  await chat.call('/v1/callback_message', { body: new URLSearchParams(message(ack)) });
};

it('who has seen a message is counted also when the number was learned since it was sent', async () => {
  const person = of(5);
  await hides(person);
  const penerima = [{ nohp: person.hidden }];
  const id = dataOf(await chat.send(PATH, { ...CONTENT, penerima, jadwal: wallClock(600) })).broadcastId;
  const due = `UPDATE broadcasts SET jadwal = now() - interval '1 second' WHERE store_id || '.' || id = $1`;
  await chat.database.query(due, [id]);
  await chat.send(PATH, {});
  await chat.reaches(id, 'done');
  await shows(person, 'halo');
  await sees(person.hidden, person);
  expect(await recipients(id)).toEqual([[person.hidden, 'viewed', null]]);
  expect(await chat.campaign(id)).toMatchObject({ terkirim: 1, delivered: 1, viewed: 1 });
});

it('who is erased by the number gets nothing as a recipient by the hidden id, and is named in no report', async () => {
  const person = of(4);
  await hides(person);
  const penerima = [{ nohp: person.hidden, nama: 'Ana' }];
  const id = dataOf(await chat.send(PATH, { ...CONTENT, penerima, jadwal: wallClock(600) })).broadcastId;
  await shows(person, 'halo');
  const customers = [{ store_id: 'S1', nohp: person.number, updated_at: 1, deleted: true }];
  await chat.post('/internal/sync', { customers }, { token: chat.tokens.tokenFor(SERVICE) });
  expect(await recipients(id)).toEqual([[person.hidden, 'skipped', 'kontak dihapus']]);
  expect(await chat.campaign(id)).toMatchObject({ valid: 0, opt_out: 1 });
  expect(await chat.database.query(`SELECT nama FROM broadcast_recipients WHERE nohp = $1`, [person.hidden])).toEqual([
    { nama: null },
  ]);
});

it('who was a recipient by a hidden id is one by the number that is known now: STOP holds, and nobody is written to twice', async () => {
  const [stops, stays, doubled] = [of(1), of(2), of(3)];
  for (const person of [stops, stays, doubled]) await hides(person);
  const penerima = [stops.hidden, stays.hidden, doubled.hidden, doubled.number].map((nohp) => ({ nohp }));
  const id = dataOf(await chat.send(PATH, { ...CONTENT, penerima, jadwal: wallClock(600) })).broadcastId;
  await shows(stops, 'STOP');
  await shows(stays, 'halo');
  await shows(doubled, 'halo');
  await chat.database.query(
    `UPDATE broadcasts SET jadwal = now() - interval '1 second' WHERE store_id || '.' || id = $1`,
    [id],
  );
  await chat.send(PATH, {});
  expect(await chat.reaches(id, 'done')).toMatchObject({ valid: 2, terkirim: 2, gagal: 0 });
  expect(chat.numbers()).toEqual([stays.number, doubled.number]);
  expect(await recipients(id)).toEqual([
    [stops.hidden, 'skipped', 'berhenti berlangganan'],
    [stays.number, 'sent', null],
    [doubled.hidden, 'skipped', 'nomor yang sama'],
    [doubled.number, 'sent', null],
  ]);
  await sees(stays.number, stays);
  expect(await chat.campaign(id)).toMatchObject({ terkirim: 2, delivered: 1, viewed: 1 });
});

it('who has the message by the hidden id gets no second one by the number that is learned then', async () => {
  const person = of(6);
  await hides(person);
  const penerima = [person.hidden, person.number].map((nohp) => ({ nohp }));
  const id = dataOf(await chat.send(PATH, { ...CONTENT, penerima, jadwal: wallClock(600) })).broadcastId;
  let release = (): void => undefined;
  const first = uuidv5(id.split('.')[1] ?? '', person.hidden);
  chat.gateway.held.set(first, new Promise<void>((resolve) => (release = resolve)));
  await chat.database.query(
    `UPDATE broadcasts SET jadwal = now() - interval '1 second' WHERE store_id || '.' || id = $1`,
    [id],
  );
  await chat.send(PATH, {});
  await until(() => chat.numbers().includes(person.hidden));
  await shows(person, 'halo');
  release();
  expect(await chat.reaches(id, 'done')).toMatchObject({ valid: 1, terkirim: 1, gagal: 0 });
  expect(chat.numbers()).toEqual([person.hidden]);
  expect(await recipients(id)).toEqual([
    [person.hidden, 'sent', null],
    [person.number, 'skipped', 'nomor yang sama'],
  ]);
});
