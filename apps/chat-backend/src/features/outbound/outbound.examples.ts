import type { Example } from '@platform/http';

const CHAT = { nohp: '628999', instance: 'dev1', team: '3' };

/** To a chat that nobody has, whatever else a send takes. */
export const sendExamples = (more: object): readonly Example[] => [
  {
    summary: 'no such chat',
    request: { ...CHAT, ...more },
    status: 200,
    response: { result: false, message: 'chat tidak ditemukan', code: 'chat_not_found' },
  },
];

export const sendExpressExamples: readonly Example[] = [
  {
    summary: 'neither text nor template',
    request: CHAT,
    status: 422,
    response: { errors: [{ field: 'pesan', tag: 'required_without', message: 'pesan is a required field' }] },
  },
  {
    summary: 'no such template',
    request: { ...CHAT, template_id: 'none' },
    status: 200,
    response: { result: false, message: 'template tidak ditemukan', code: 'template_not_found' },
  },
];
