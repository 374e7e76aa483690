import type { Example } from '@platform/http';

export const chatListExamples: readonly Example[] = [
  {
    summary: 'no such team',
    request: { nohp: '-', instance: 'dev1', team: '99' },
    status: 200,
    response: { result: false, message: 'team tidak ditemukan', code: 'team_not_found' },
  },
];
