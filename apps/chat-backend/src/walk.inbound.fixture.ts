import { message } from './chat.fixture';
import {
  customerOf,
  deviceOf,
  historyOf,
  inboxOf,
  listOf,
  named,
  orderOf,
  warehouseOf,
  type WalkCases,
  type World,
} from './walk.records.fixture';

const inboxAnswer = (world: World) => ({
  result: true,
  data: [inboxOf(world)],
  chat_list: listOf(world),
  chat_order: orderOf(world),
  customer: customerOf(world),
  chat_device: deviceOf(world),
  handle_gudang: warehouseOf(world),
  history: [historyOf(world)],
});

export const inboundCases: WalkCases = {
  'POST /v1/callback_message': (world) => {
    const { ref } = world;
    const id = `${world.messageId}-2`;
    const next = { pesan_id: id, seq: 2, chatInboxId: `${ref.chatId}.2`, pesan: 'halo?' };
    return {
      body: {
        ...message({ number: `${ref.nohp}@s.whatsapp.net`, id, text: 'halo?' }),
        result: true,
        report: false,
        timestamp: 1795157100,
      },
      answer: {
        result: true,
        data: {
          newChatInbox: inboxOf(world, next),
          chat_list: listOf(world, { last_pesan: 'halo?', last_pesan_id: id, last_seq: 2, unread: 2 }),
          chat_order: orderOf(world),
          handle_gudang: warehouseOf(world),
          customer: customerOf(world),
          history: [historyOf(world)],
        },
      },
    };
  },
  'POST /v1/chat_inbox': (world) => ({ body: named(world.ref), answer: inboxAnswer(world) }),
  'POST /v1/chat_newinbox': (world) => ({ body: named(world.ref), answer: inboxAnswer(world) }),
  'POST /v1/chat_inbox_position': ({ ref: { nohp, instance }, messageId }) => ({
    body: { pesan_id: messageId, nohp, instance },
    answer: { result: true, offset: 0, waktu: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/) },
  }),
  'POST /v1/chat_list': (world) => ({
    body: { ...named(world.ref), search: world.ref.nohp, searchType: 'nohp' },
    answer: { result: true, data: [listOf(world)], indexlist: [world.ref.chatId], next_cursor: null },
  }),
  'POST /v1/chat_markread': ({ ref }) => ({
    body: named(ref),
    answer: { result: true, message: 'success mark as read' },
  }),
  'POST /v1/chat_inboxdetail': (world) => ({
    body: { chatInboxId: `${world.ref.chatId}.1` },
    answer: { result: true, data: inboxOf(world) },
  }),
};
