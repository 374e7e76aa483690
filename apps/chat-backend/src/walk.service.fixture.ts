import { uuidv7 } from '@platform/runtime';
import { form, message, SERVICE } from './chat.fixture';
import {
  actorOf,
  historyOf,
  listOf,
  notificationOf,
  ticketEventOf,
  ticketOf,
  type WalkCases,
  type World,
} from './walk.records.fixture';

/** A notification of a user who has no other; its id and token. */
const notified = async ({ chat, ref }: World) => {
  const user = `u-${uuidv7()}`;
  const [row] = await chat.database.query<{ id: string }>(
    `INSERT INTO notifications (store_id, user_id, type, judul, isi, conversation_id) SELECT store_id, $2, 'move', 'Chat dipindahkan ke team Anda', 'Budi', id
     FROM conversations WHERE nohp = $1 RETURNING store_id || '.' || id AS id`,
    [ref.nohp, user],
  );
  return { notifId: row?.id ?? '', token: chat.tokens.tokenFor({ sub: user }) };
};

const opened = async ({ chat, ref }: World, more: object = {}): Promise<string> => {
  const id = uuidv7();
  const body = { store_id: 'S1', nohp: ref.nohp, judul: 'Retur', isi: 'Salah ukuran', ...more };
  await chat.call(`/internal/tickets/${id}`, { method: 'PUT', token: chat.tokens.tokenFor(SERVICE), body });
  return id;
};

const marked = (text: string) => ({ result: true, message: `success ${text}`, data: { updated: 1 } });
const CREATED = { to_status: 'open', catatan: 'Retur' };

export const notificationCases: WalkCases = {
  'POST /v1/get_notif': async (world) => {
    const { notifId, token } = await notified(world);
    const data = [notificationOf(world, notifId)];
    return { body: {}, token, answer: { result: true, data, unread: 1, next_cursor: null } };
  },
  'POST /v1/get_totalnotif': async (world) => ({
    body: {},
    token: (await notified(world)).token,
    answer: { result: true, data: { total: 1, unread: 1 }, total: 1 },
  }),
  'POST /v1/markread_notif': async (world) => {
    const { notifId, token } = await notified(world);
    return { body: { notifId }, token, answer: marked('mark as read') };
  },
  'POST /v1/readall_notif': async (world) => ({
    body: { type: 'move', team: '3' },
    token: (await notified(world)).token,
    answer: marked('read all'),
  }),
  'POST /v1/getdetail_notif': async (world) => {
    const { notifId, token } = await notified(world);
    const answer = { result: true, data: notificationOf(world, notifId), chat_list: listOf(world) };
    return { body: { notifId }, token, answer };
  },
};

export const serviceCases: WalkCases = {
  'GET /': () => ({ answer: { app: 'chat-backend' } }),
  'GET /media/{name}': async ({ chat, ref }) => {
    const file = new Blob([Buffer.from('a text')], { type: 'text/plain' });
    const stored = await chat.call('/v1/callback_message', {
      body: form({ ...message({ number: `${ref.nohp}@s.whatsapp.net`, type: 'document' }), file }),
    });
    const { url } = (stored.body as { data: { newChatInbox: { url: string } } }).data.newChatInbox;
    return { path: new URL(url).pathname + new URL(url).search, answer: 'a text' };
  },
  'POST /internal/sync': () => ({
    body: { users: [{ store_id: 'S1', user_id: uuidv7(), nama: 'Baru', updated_at: 1 }] },
    answer: { result: true, message: 'success sync', data: { applied: 1, skipped: 0 } },
  }),
  'GET /internal/handled': () => ({
    path: '/internal/handled?store_id=S1&user_id=u-nobody',
    answer: { result: true, message: 'success', data: { nohp: [] } },
  }),
  'GET /internal/stats': () => ({
    path: '/internal/stats?store_id=S2&from=2026-01-01&to=2026-01-31',
    answer: {
      result: true,
      message: 'success',
      data: {
        chats_opened: 0,
        messages_in: 0,
        messages_out: 0,
        waiting: 0,
        agents: [
          { user_id: 'u-lain', user_nama: 'Lain', load: 0, handled: 0, finished: 0, median_first_response: null },
        ],
      },
    },
  }),
  'POST /v1/change_ticket_status': async (world) => {
    const id = await opened(world);
    return {
      body: { ticketId: `S1.${id}`, status: 'on_progress', catatan: 'dicek', user_id: 'u-rina' },
      answer: {
        result: true,
        message: 'success change ticket status',
        data: ticketOf(world, id, { status: 'on_progress', catatan: 'dicek' }),
        history: [
          ticketEventOf(id, CREATED),
          ticketEventOf(id, {
            event: 'status',
            from_status: 'open',
            to_status: 'on_progress',
            catatan: 'dicek',
            ...actorOf(world),
          }),
        ],
      },
    };
  },
  'PUT /internal/tickets/{id}': (world) => {
    const id = uuidv7();
    return {
      path: `/internal/tickets/${id}`,
      body: { store_id: 'S1', nohp: world.ref.nohp, judul: 'Retur', isi: 'Salah ukuran' },
      answer: { result: true, message: 'success open ticket', data: ticketOf(world, id) },
    };
  },
  'GET /internal/tickets': async (world) => {
    const id = await opened(world);
    return {
      path: `/internal/tickets?store_id=S1&nohp=${world.ref.nohp}`,
      answer: { result: true, message: 'success', data: [ticketOf(world, id)], next_cursor: null },
    };
  },
  'GET /internal/tickets/{id}': async (world) => {
    const id = await opened(world);
    const data = { ...ticketOf(world, id), balasan: [], history: [ticketEventOf(id, CREATED)] };
    return { path: `/internal/tickets/${id}?store_id=S1`, answer: { result: true, message: 'success', data } };
  },
  'POST /internal/tickets/{id}/replies': async (world) => {
    const [id, balasanId] = [await opened(world), uuidv7()];
    const { waktu } = historyOf(world) as { waktu: unknown };
    const data = { balasanId, waktu, user_id: 'u-rina', user_nama: 'Rina', pesan: 'dicek', url: null };
    return {
      path: `/internal/tickets/${id}/replies`,
      body: { store_id: 'S1', balasanId, pesan: 'dicek', user_id: 'u-rina' },
      answer: { result: true, message: 'success reply ticket', data },
    };
  },
  'PUT /internal/tickets/{id}/assign': async (world) => {
    const id = await opened(world);
    return {
      path: `/internal/tickets/${id}/assign`,
      body: { store_id: 'S1', user_id: 'u-siti' },
      answer: { result: true, message: 'success assign ticket', data: ticketOf(world, id, { user_id: 'u-siti' }) },
    };
  },
  'PUT /internal/tickets/{id}/rating': async (world) => {
    const id = await opened(world);
    return {
      path: `/internal/tickets/${id}/rating`,
      body: { store_id: 'S1', rating: 5, feedback: 'cepat' },
      answer: {
        result: true,
        message: 'success rate ticket',
        data: ticketOf(world, id, { rating: 5, feedback: 'cepat' }),
      },
    };
  },
};
