import { notAhead } from '@platform/data';
import type { Config } from '../../config';
import type { GraphClient } from '../../clients/graph.types';
import type { Room, RoomParts } from '../../room.parts';
import type { KeyedWork } from '../idempotency/public';
import type { SocialTokens } from '../social/public';
import { Directory } from './account.directory';
import { AccountNames } from './account.names';
import { AccountReader } from './account.reader';
import { accountEndpoints } from './accounts.endpoints';
import { AccountImports } from './accounts.imports';
import { AccountsList } from './accounts.list';
import { AccountsRepository } from './accounts.repository';
import { adAccountEndpoints } from './ad-accounts.endpoints';
import { FirstToAnswer } from './first-to-answer';
import { KnownRefusals } from './known-refusals';
import { expireRentals } from './rentals';

export interface AccountsParts extends RoomParts {
  readonly graph: GraphClient;
  readonly tokens: SocialTokens;
  readonly work: KeyedWork;
}

const MINUTELY = '* * * * *';

/** What other rooms stand on: whose accounts are whose, and how they come to an application. */
const directoryOf = (config: Config, parts: AccountsParts) => {
  const { database, cache, clock, graph, tokens } = parts;
  const activeStatuses = new Set(config.ACTIVE_STATUSES.map(Number));
  const accounts = new AccountsRepository(database, clock);
  const first = new FirstToAnswer(tokens, new KnownRefusals(cache));
  const rules = { activeStatuses, statusMaxAgeMs: config.ACCOUNT_STATUS_MAX_AGE_MS };
  const directory = new Directory({ accounts, first, tokens, graph, clock, rules });
  const imports = new AccountImports({ database, accounts, tokens, graph });
  return { accounts, first, directory, imports, activeStatuses };
};

export const composeAccounts = (config: Config, parts: AccountsParts) => {
  const { database, clock, logger, graph, work } = parts;
  const made = directoryOf(config, parts);
  const { directory, imports, activeStatuses } = made;
  const list = new AccountsList(database, clock);
  const names = new AccountNames(directory, graph);
  const room: Room = {
    endpoints: [
      ...accountEndpoints({ reader: new AccountReader(directory, graph), names, work }),
      ...adAccountEndpoints({ list, imports, names, work, clock, activeStatuses }),
    ],
    jobs: {
      'accounts.rentals': {
        effect: 'inside',
        cron: [{ pattern: MINUTELY }],
        run: async () => expireRentals(database, await notAhead(database, { clock, logger }), logger),
      },
    },
  };
  return { ...made, list, room };
};

/** The directory and what belongs to it, for the rooms above. */
export type AccountsRoom = ReturnType<typeof composeAccounts>;
