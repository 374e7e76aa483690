import type { Example } from '@platform/http';

export const replayExamples: readonly Example[] = [
  {
    summary: 'no such row',
    request: { store_id: 'S1', id: '999999999' },
    status: 200,
    response: { result: false, message: 'pesan tidak ditemukan', code: 'message_not_found' },
  },
];
