import type { Example } from '@platform/http';

export const logoutExamples: readonly Example[] = [
  { summary: 'logged out', status: 200, response: { status: 'success', message: 'logout berhasil' } },
];
