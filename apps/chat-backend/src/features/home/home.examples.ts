import type { Example } from '@platform/http';

export const homeExamples: readonly Example[] = [{ summary: 'always', status: 200, response: { app: 'chat-backend' } }];
