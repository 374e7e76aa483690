/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { silentLogger } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { EngineFileLost } from '../engine.errors';
import { loadLibrary, type BinaryNode } from './baileys.library';
import { useEngine } from './engine.fixture';

const SHOP = '628110000001';
const { sandbox, sink, engine } = useEngine({ shop: SHOP });
const budi = useRunning(() => sandbox.phone('628123456789', { name: 'Budi' }));

const PLAIN = randomBytes(500);
const derived = (secret: Buffer, info: string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), info, length));

/** As WhatsApp encrypts a picture. */
const sealed = (mediaKey: Buffer) => {
  const keys = derived(mediaKey, 'WhatsApp Image Keys', 112);
  const cipher = createCipheriv('aes-256-cbc', keys.subarray(16, 48), keys.subarray(0, 16));
  const body = Buffer.concat([cipher.update(PLAIN), cipher.final()]);
  const mac = createHmac('sha256', keys.subarray(48, 80)).update(keys.subarray(0, 16)).update(body).digest();
  return Buffer.concat([body, mac.subarray(0, 10)]);
};

/** A picture that WhatsApp has forgotten meanwhile. */
const forgotten = async (status = 404) => {
  const mediaKey = randomBytes(32);
  const fileSha256 = createHash('sha256').update(PLAIN).digest();
  const directPath = `/v/forgotten/${randomBytes(4).toString('hex')}`;
  sandbox.media.refuse(directPath, status);
  const { id } = await budi.sendProto(SHOP, {
    imageMessage: { mimetype: 'image/jpeg', mediaKey, fileSha256, directPath },
  });
  const { media } = await until(
    () => sink.messages.find((message) => message.id === id) ?? { media: undefined },
    (message) => message.media !== undefined,
  );
  if (!media) throw new Error('the picture did not arrive');
  return { id, mediaKey, media };
};
const question = (id: string) =>
  until(
    () =>
      sandbox
        .heard(SHOP, 'receipt')
        .find(({ attrs }) => attrs.id === id && attrs.type === 'server-error') as BinaryNode,
    (node) => node !== undefined,
  );
/** What the phone answers: where the file lies now, or what came of it. */
const answer = async (id: string, mediaKey: Buffer, told: { result: number; directPath?: string }) => {
  const { proto } = await loadLibrary({ logger: silentLogger });
  const iv = randomBytes(12);
  const key = derived(mediaKey, 'WhatsApp Media Retry Notification', 32);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id));
  const text = proto.MediaRetryNotification.encode({ stanzaId: id, ...told }).finish();
  const bytes = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  sandbox.send(SHOP, {
    tag: 'notification',
    attrs: { id, type: 'mediaretry', from: `${SHOP}@s.whatsapp.net`, t: '1795180000' },
    content: [
      {
        tag: 'encrypt',
        attrs: {},
        content: [
          { tag: 'enc_p', attrs: {}, content: bytes },
          { tag: 'enc_iv', attrs: {}, content: iv },
        ],
      },
      { tag: 'rmr', attrs: { jid: budi.jid, from_me: 'false' } },
    ],
  });
};
const fetched = (media: Parameters<typeof engine.fetchMedia>[0], signal = new AbortController().signal) =>
  engine.fetchMedia(media, signal);

it.each([
  ['keeps no more', 404],
  ['has deleted', 410],
  ['gives out under no such address any more', 403],
])(
  'a file that WhatsApp %s (%i) is asked of the phone that sent it, and read where that puts it',
  async (_, status) => {
    const { id, mediaKey, media } = await forgotten(status);
    const pending = fetched(media);
    const { attrs, content } = await question(id);
    expect(attrs).toMatchObject({ to: `${SHOP}@s.whatsapp.net`, type: 'server-error' });
    expect(content).toContainEqual({
      tag: 'rmr',
      attrs: { jid: budi.jid, from_me: 'false' },
      content: undefined,
    });
    await answer(id, mediaKey, { result: 1, directPath: sandbox.media.store(sealed(mediaKey)) });
    expect((await buffer(await pending)).equals(PLAIN)).toBe(true);
  },
);

it('phones that do not answer keep few files waiting: another one may be had another time', async () => {
  const impatient = new AbortController();
  const pending = [];
  for (let n = 0; n < 4; n++) {
    const { id, media } = await forgotten();
    pending.push(fetched(media, impatient.signal).catch((cause: Error) => cause.message));
    await question(id);
  }
  const { id, media } = await forgotten();
  await expect(fetched(media)).rejects.toThrow(new Error('too many files are asked of phones at the moment'));
  impatient.abort();
  expect(await Promise.all(pending)).toEqual(Array(4).fill('the phone does not answer'));
  const again = new AbortController();
  const asked = fetched(media, again.signal);
  await question(id);
  again.abort();
  await expect(asked).rejects.toThrow('the phone does not answer');
});

it('one that the phone has no more is lost', async () => {
  const { id, mediaKey, media } = await forgotten();
  const pending = fetched(media);
  await question(id);
  await Promise.all([
    expect(pending).rejects.toThrow(new EngineFileLost('the phone has the file no more')),
    answer(id, mediaKey, { result: 2 }),
  ]);
});

it('one whose phone does not answer in time may be had another time', async () => {
  const { id, media } = await forgotten();
  const impatient = new AbortController();
  const pending = fetched(media, impatient.signal);
  await question(id);
  impatient.abort();
  await expect(pending).rejects.toThrow(new Error('the phone does not answer'));
});
