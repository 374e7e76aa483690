import type { Database } from '@platform/data';
import { area, dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { OWNER_AWAY } from '../../../clients/face';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { MadeWelcome, Welcome, WelcomeChange, WelcomeWish } from './welcomes.dto';
import { saveWelcome, writeWelcome, type WelcomeParts } from './welcomes.service';
import { welcomeOf } from './welcomes.sql';

export const welcomesEndpoints = (database: Database, parts: WelcomeParts, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/botwelcome', tag: 'Chat' }, [
    endpoint({
      get: '',
      summary: 'Welcome message settings',
      guard: 'member',
      reply: dataOf(Welcome),
      refuses: [],
      handle: ({ caller }) => welcomeOf(database, caller.storeId),
    }),
    endpoint({
      put: '',
      summary: 'Update or switch welcome message',
      guard: 'agent.write',
      body: WelcomeChange,
      reply: dataOf(Welcome, 'Welcome message updated'),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: (input) => saveWelcome(database, parts, by(input), input.body),
    }),
    endpoint({
      post: '/generate',
      summary: 'Generate welcome text by AI',
      description: 'It is not saved.',
      guard: 'agent.write',
      body: WelcomeWish,
      reply: dataOf(MadeWelcome),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: ({ caller, body }) => writeWelcome(parts, caller.storeId, body),
    }),
  ]);
