import type { Bench } from './bench.types';
import { compareRead } from './chat-read';
import { TEAMS } from './inbox-data';

/** The first page of one team's conversations, 50 records. */
export const bench: Bench = {
  name: 'chat-list',
  run: (report) =>
    compareRead(report, {
      path: '/v1/chat_list',
      body: { nohp: '628', instance: 'dev2', team: '{key}', status: 'all' },
      keys: TEAMS,
      expects: '"next_cursor":"',
    }),
};
