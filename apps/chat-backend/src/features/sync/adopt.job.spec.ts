import type { Transaction } from '@platform/data';
import { adoptJob, type AdoptDependencies } from './adopt.job';
import type { AdoptedChat, SyncRepository } from './sync.repository';

const chat = (team: string) => ({ from: team }) as AdoptedChat;

it('chats of a team that is gone are taken in until there are none, though somebody moves some of a portion meanwhile', async () => {
  const portions = [[chat('T1'), chat('T2')], [chat('T3')], []];
  const repository = { in: () => ({ adoptChats: async () => portions.shift() ?? [] }) } as unknown as SyncRepository;
  const told: string[] = [];
  const needs: AdoptDependencies = {
    database: { tx: (work) => work({} as Transaction) },
    repository,
    announcer: { adopted: ({ from }) => void told.push(from) },
  };
  const { signal } = new AbortController();
  await adoptJob(needs)({ storeId: 'S1' }, { signal } as Parameters<ReturnType<typeof adoptJob>>[1]);
  expect([told, portions]).toEqual([['T1', 'T2', 'T3'], []]);
});
