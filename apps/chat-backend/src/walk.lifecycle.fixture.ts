import { form } from './chat.fixture';
import {
  actorOf,
  customerOf,
  historyOf,
  listOf,
  named,
  warehouseOf,
  type WalkCase,
  type WalkCases,
  type World,
} from './walk.records.fixture';

const PNG = new Blob([new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))], { type: 'image/png' });
const KEPT = {
  url: expect.stringMatching(/\/media\/[0-9a-f]{32}\?exp=\d+&sig=[0-9a-f]{32}$/) as unknown,
  mimetype: 'image/png',
  filename: 'bukti.png',
  size: 16,
};

const changed = (world: World, kind: string, list: object, events: object[]): unknown => ({
  result: true,
  message: `success ${kind}`,
  data: listOf(world, list),
  history: events.map((event) =>
    historyOf(world, { from_status: 'open', team_from: '3', team_to: '3', ...actorOf(world), ...event }),
  ),
  handle_gudang: warehouseOf(world),
  customer: customerOf(world),
});

/** The state that a call needs to change. */
const become = (world: World, state: string): Promise<unknown> =>
  world.chat.database.query(`UPDATE conversations SET ${state} WHERE nohp = $1`, [world.ref.nohp]);

/** request-escalate knows no `user_id` of its own: it names who is asked. */
const asker = (world: World) =>
  world.spelling === 'default' ? actorOf(world) : { ...actorOf(world), user_id: null, user_nama: null };

const request = (world: World): WalkCase => {
  const file = new File([PNG], 'bukti.png', { type: 'image/png' });
  const fields = { ...named(world.ref), alasan: 'minta atasan', to_team: '4', prioritas: 'high' };
  const ticketId = expect.stringMatching(/^S1\.[0-9a-f-]{36}$/) as unknown;
  return {
    body: form({ ...fields, lampiran: file }),
    answer: changed(world, 'request escalate', { status_escalate: 'requested', prioritas: 'high', ticketId }, [
      {
        event: 'request_escalate',
        team_to: '4',
        catatan: 'minta atasan',
        lampiran: [KEPT],
        ...asker(world),
      },
    ]),
  };
};

const finish = async (world: World): Promise<WalkCase> => {
  await become(world, 'status_escalate = 1');
  await world.chat.database.query(
    `INSERT INTO escalations (store_id, conversation_id, to_team, requested_by) SELECT store_id, id, '4', 'u-rina' FROM conversations WHERE nohp = $1`,
    [world.ref.nohp],
  );
  return {
    body: { ...named(world.ref), hasil: 'dikembalikan', catatan: 'sudah', user_id: 'u-rina' },
    answer: changed(world, 'finish escalate', { status_escalate: 'finished' }, [
      { event: 'finish_escalate', catatan: 'dikembalikan: sudah' },
    ]),
  };
};

export const lifecycleCases: WalkCases = {
  'POST /v1/handle_chat': (world) => ({
    body: { ...named(world.ref), user_id: 'u-rina' },
    answer: changed(world, 'handle chat', { status: 'handle', user_id: 'u-rina', user_nama: 'Rina' }, [
      { event: 'handle', to_status: 'handle', user_to: 'u-rina' },
    ]),
  }),
  'POST /v1/chat_open': async (world) => {
    await become(world, `status = 1, assignee_id = 'u-rina'`);
    return {
      body: { ...named(world.ref), catatan: 'silakan', user_id: 'u-rina' },
      answer: changed(world, 'open chat', {}, [
        { event: 'release', from_status: 'handle', user_from: 'u-rina', catatan: 'silakan' },
      ]),
    };
  },
  'POST /v1/chat_pending': (world) => {
    const tomorrow = new Date(Date.now() + 48 * 3600_000).toISOString().slice(0, 16).replace('T', ' ');
    return {
      body: { ...named(world.ref), pending_until: tomorrow, user_id: 'u-rina' },
      answer: changed(world, 'pending chat', { status: 'pending', pending_until: tomorrow }, [
        { event: 'pending', to_status: 'pending' },
      ]),
    };
  },
  'POST /v1/chat_finish': (world) => ({
    body: { ...named(world.ref), alasan: 'selesai', catatan: 'puas', user_id: 'u-rina' },
    answer: changed(world, 'finish chat', { status: 'finish', unread: 0, read_seq: 1, waiting_since: null }, [
      { event: 'finish', to_status: 'finish', catatan: 'selesai: puas' },
    ]),
  }),
  'POST /v1/chat_move': (world) => ({
    body: { ...named(world.ref), to_team: '4', catatan: 'VIP' },
    answer: changed(world, 'move chat', { team: '4' }, [
      { event: 'move', team_to: '4', catatan: 'VIP', ...asker(world) },
    ]),
  }),
  'POST /v1/chats/request-escalate': request,
  'POST /v1/chat_requesthandle': request,
  'POST /v1/chats/finish-escalate': finish,
  'POST /v1/chat_finishhandle': finish,
};
