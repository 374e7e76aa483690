import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedClock } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { form, message } from '../../chat.fixture';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';
import { MediaAge, OLD_ATTACHMENTS, OLD_FILES } from './media.age';
import { MediaStore } from './media.store';

let chat: Lifecycle;
const DAY_MS = 24 * 3600 * 1000;
const PNG = new Blob([new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))], { type: 'image/png' });
const clock = fixedClock(new Date());
const NOW = String(Math.floor(clock.now().getTime() / 1000));
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

const run = (days?: number) =>
  new MediaAge(chat.database, { store: new MediaStore(chat.mediaDirectory), days, clock }).run();
const files = async () =>
  (
    await chat.database.query<{ name: string }>(
      `SELECT media->>'name' AS name FROM messages WHERE media ? 'name' UNION ALL SELECT substr(f->>'url', 7) FROM chat_histories, jsonb_array_elements(lampiran) f WHERE f->>'url' IS NOT NULL`,
    )
  ).map(({ name }) => existsSync(join(chat.mediaDirectory, name)));

it('removes files after their time, of messages and of events, and keeps what was said of them', async () => {
  const ref = await chat.newChat();
  const number = `${ref.nohp}@s.whatsapp.net`;
  const picture = () => form({ ...message({ number, type: 'image', timestamp: NOW }), file: PNG });
  await chat.call('/v1/callback_message', { body: picture() });
  await chat.as(
    chat.people.rina,
    'chats/request-escalate',
    form({ ...ref, alasan: 'lihat', to_team: '4', lampiran: PNG }),
  );
  await run();
  await run(30);
  expect(await files()).toEqual([true, true]);
  await chat.database.query(
    `UPDATE messages SET waktu = now() - interval '31 days'; UPDATE chat_histories SET waktu = now() - interval '31 days'`,
  );
  const young = await chat.newChat();
  await chat.call('/v1/callback_message', {
    body: form({ ...message({ number: `${young.nohp}@s.whatsapp.net`, type: 'image', timestamp: NOW }), file: PNG }),
  });
  const names = await chat.database.query<{ name: string }>(
    `SELECT media->>'name' AS name FROM messages WHERE waktu < now() - interval '30 days' AND media IS NOT NULL`,
  );
  await run(30);
  expect(await files()).toEqual([true]);
  expect(existsSync(join(chat.mediaDirectory, names[0]?.name ?? ''))).toBe(false);
  const { body } = await chat.as(chat.people.rina, 'chat_inbox', ref);
  expect(body).toMatchObject({
    data: [{}, { type: 'image', url: null, mimetype: 'image/png', size: 16 }],
    history: [{ event: 'created' }, { lampiran: [{ url: null, mimetype: 'image/png', size: 16 }] }],
  });
  clock.advance(31 * DAY_MS);
  await run(30);
  expect(await files()).toEqual([]);
});

it('keeps the file of a campaign as long as one of its messages may need it', async () => {
  const [old, young] = [await chat.newChat(), await chat.newChat()];
  const name = 'c'.repeat(32);
  const campaign = '0192f3a0-0000-7000-8000-0000000000bb';
  writeFileSync(join(chat.mediaDirectory, name), 'file');
  const day = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  await chat.database.query(
    `INSERT INTO broadcasts (store_id, id, instance, team_id, nama, status, body, actor_type) VALUES ('S1', $1, 'dev1', '3', 'Promo', 'sending', '{}', 'user')`,
    [campaign],
  );
  for (const [{ nohp }, waktu] of [[old, day(31)] as const, [young, day(29)] as const])
    await chat.database.query(
      `UPDATE messages m SET media = $3, broadcast_id = $2, waktu = $4 FROM conversations c WHERE c.nohp = $1 AND c.store_id = m.store_id AND c.id = m.conversation_id`,
      [nohp, campaign, JSON.stringify({ name }), waktu],
    );
  const ended = (at: Date) =>
    chat.database.query(`UPDATE broadcasts SET status = 'done', finished_at = $2 WHERE id = $1`, [campaign, at]);
  await run(30);
  await ended(day(29));
  await run(30);
  expect(await files()).toEqual([true, true]);
  clock.advance(2 * DAY_MS);
  await run(30);
  expect([await files(), existsSync(join(chat.mediaDirectory, name))]).toEqual([[], false]);
});

it('reads only what has files', async () => {
  for (const text of [OLD_FILES, OLD_ATTACHMENTS])
    expectNoSeqScan(await explain(chat.database, text, [new Date(), 200]), 'messages', 'chat_histories');
});
