import { until } from '@platform/testing';
import { inboxOf, listOf, named, type WalkCases, type World } from './walk.records.fixture';

const BYTES = {
  image: Buffer.from('ffd8ffe000104a464946', 'hex'),
  video: Buffer.from('\0\0\0\x18ftypmp42 a film'),
  document: Buffer.from('%PDF-1.7 a document'),
  audio: Buffer.from('OggS a voice'),
} as const;
const MIMETYPE = { image: 'image/jpeg', video: 'video/mp4', document: 'application/pdf', audio: 'audio/ogg' } as const;
const LINK = expect.stringMatching(/\/media\/[0-9a-f]{32}\?exp=\d+&sig=[0-9a-f]{32}$/) as unknown;

const sent = (world: World, kind: string, message: object, preview: string, type: string) => {
  const { ref, spelling, messageId } = world;
  const pesan_id = `${messageId}-${kind}`;
  // The CRM's sends leave the chat as it is (design 3.8)
  const person = spelling === 'crm' ? null : 'u-rina';
  const taken = person
    ? {
        status: 'handle',
        user_id: person,
        user_nama: 'Rina',
        waiting_since: null,
        first_response_at: expect.any(Number),
      }
    : {};
  const last = { last_pesan: preview, last_type: type, last_fromMe: true, last_pesan_id: pesan_id, last_seq: 2 };
  const out = { fromMe: true, role: 'agent', user_id: 'u-rina', name: null, status_ack: 'pending', pesan: null };
  return {
    result: true,
    message: `success send ${kind}`,
    data: inboxOf(world, { chatInboxId: `${ref.chatId}.2`, seq: 2, pesan_id, type, ...out, ...message }),
    chat_list: listOf(world, { ...last, status_ack: 'pending', ...taken }),
  };
};

const send =
  (kind: string, fields: object, message: object, preview: string, type = kind): WalkCases[string] =>
  (world) => ({
    body: { ...named(world.ref), pesan_id: `${world.messageId}-${kind}`, user_id: 'u-rina', ...fields },
    answer: sent(world, kind, message, preview, type),
  });

const file = (kind: keyof typeof BYTES, filename: string, more: object = {}) => {
  const bytes = BYTES[kind];
  return [
    { file: `data:application/octet-stream;base64,${bytes.toString('base64')}`, ...more },
    { url: LINK, mimetype: MIMETYPE[kind], filename, size: bytes.length },
  ] as const;
};

const [picture, pictureRecord] = file('image', 'image.jpg');
const [film, filmRecord] = file('video', 'video.mp4');
const [document, documentRecord] = file('document', 'harga.pdf', { filename: 'harga.pdf' });
const [sound, soundRecord] = file('audio', 'audio.ogg');
const SHOP = 'https://toko-nusa.example/sepatu';

export const outboundCases: WalkCases = {
  'POST /v1/send_message': send('message', { pesan: 'Ada kak' }, { pesan: 'Ada kak' }, 'Ada kak', 'chat'),
  'POST /v1/send_image': send('image', { ...picture, caption: 'ini' }, { ...pictureRecord, caption: 'ini' }, 'ini'),
  'POST /v1/send_video': send('video', film, filmRecord, '[video]'),
  'POST /v1/send_document': send('document', document, documentRecord, '[dokumen]'),
  'POST /v1/send_audio': send('audio', sound, soundRecord, '[audio]'),
  'POST /v1/send_link': send(
    'link',
    { url: SHOP, pesan: 'lihat' },
    { pesan: `lihat\n${SHOP}`, matchedText: SHOP },
    `lihat\n${SHOP}`,
    'extendedtext',
  ),
  'POST /v1/send_location': send(
    'location',
    { latitude: '-6.2', longitude: '106.8', locationName: 'Monas', locationAddress: 'Jakarta' },
    { latitude: '-6.2', longitude: '106.8', locationName: 'Monas', locationAddress: 'Jakarta' },
    'Monas',
  ),
  'POST /v1/send_express': send('express', { pesan: 'Cepat' }, { pesan: 'Cepat' }, 'Cepat', 'chat'),
  'GET /internal/outbox/dead': async (world) => {
    const { ref } = world;
    const id = await died(world);
    return {
      path: '/internal/outbox/dead?store_id=S1&limit=1',
      answer: {
        result: true,
        message: 'success',
        data: [
          {
            id,
            chatId: ref.chatId,
            pesan_id: `${world.messageId}-dead`,
            nohp: ref.nohp,
            instance: 'dev1',
            attempts: 1,
            reason: 'the gateway answered 422: number not registered',
            created_at: expect.any(Number),
            dead_at: expect.any(Number),
          },
        ],
        next_cursor: id,
      },
    };
  },
  'POST /internal/outbox/replay': async (world) => ({
    body: { store_id: 'S1', id: await died(world) },
    answer: { result: true, message: 'success replay', data: { id: expect.stringMatching(/^\d+$/) } },
  }),
};

/** A send that the gateway refused for good; the id of its row. */
const died = async ({ chat, ref, messageId }: World): Promise<string> => {
  const pesan_id = `${messageId}-dead`;
  await until(async () => (await chat.database.query(`SELECT 1 FROM outbox_row WHERE state = 'queued'`)).length === 0);
  chat.gateway.next.push({ status: 422, message: 'number not registered' });
  await chat.as(chat.people.rina, 'send_message', { ...ref, pesan: 'mati', pesan_id });
  const [row] = await until(
    () =>
      chat.database.query<{ id: string }>(
        `SELECT id::text FROM outbox_row WHERE state = 'dead' AND payload->>'pesanId' = $1`,
        [pesan_id],
      ),
    (rows) => rows.length > 0,
  );
  return row?.id ?? '';
};
