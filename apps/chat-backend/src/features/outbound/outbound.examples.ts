import type { Example } from '@platform/http';
import { NO_CHAT } from '../inbox/public';

export const sendExpressExamples: readonly Example[] = [
  {
    summary: 'neither text nor template',
    request: NO_CHAT,
    status: 422,
    response: { errors: [{ field: 'pesan', tag: 'required_without', message: 'pesan is a required field' }] },
  },
  {
    summary: 'no such template',
    request: { ...NO_CHAT, template_id: 'none' },
    status: 200,
    response: { result: false, message: 'template tidak ditemukan', code: 'template_not_found' },
  },
];
