import type { Example } from '@platform/http';

/** Nobody has this chat. */
export const NO_CHAT = { nohp: '628999', instance: 'dev1', team: '3' };

/** Of a chat that nobody has, whatever else the call takes. */
export const noSuchChatExamples = (more: object = {}): readonly Example[] => [
  {
    summary: 'no such chat',
    request: { ...NO_CHAT, ...more },
    status: 200,
    response: { result: false, message: 'chat tidak ditemukan', code: 'chat_not_found' },
  },
];

export const inboxPositionExamples: readonly Example[] = [
  {
    summary: 'unknown message',
    request: { pesan_id: 'none', nohp: '6281234567890', instance: 'dev1' },
    status: 200,
    response: { result: false, message: 'pesan tidak ditemukan', code: 'message_not_found' },
  },
];

export const inboxDetailExamples: readonly Example[] = [
  {
    summary: 'unknown message',
    request: { chatInboxId: 'S1.none' },
    status: 200,
    response: { result: false, message: 'pesan tidak ditemukan', code: 'message_not_found' },
  },
];
