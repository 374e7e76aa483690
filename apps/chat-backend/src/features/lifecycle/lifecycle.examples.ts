import type { Example } from '@platform/http';

const CHAT = { nohp: '628999', instance: 'dev1', team: '3' };

/** Of a chat that nobody has, whatever else the call takes. */
export const lifecycleExamples = (more: object): readonly Example[] => [
  {
    summary: 'no such chat',
    request: { ...CHAT, ...more },
    status: 200,
    response: { result: false, message: 'chat tidak ditemukan', code: 'chat_not_found' },
  },
];
