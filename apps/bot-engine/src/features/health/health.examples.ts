import type { Example } from '@platform/http';

export const testExamples: readonly Example[] = [
  { summary: 'a good token', status: 200, response: { message: 'berhasil' } },
];
