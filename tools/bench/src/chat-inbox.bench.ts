import type { Bench } from './bench.types';
import { compareRead } from './chat-read';
import { CONVERSATIONS } from './large-inbox';

/** One conversation with its ten messages and everything around them. */
export const bench: Bench = {
  name: 'chat-inbox',
  run: (report) =>
    compareRead(report, {
      path: '/v1/chat_inbox',
      body: { nohp: '6282{key}', instance: 'dev2', team: '0000000' },
      keys: CONVERSATIONS,
      expects: '"chatInboxId"',
    }),
};
