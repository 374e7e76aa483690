import { silentLogger } from '@platform/runtime';
import type { LeadDeps } from './lead.types';
import { Sweeper } from './sweeper';
import { TurnLife } from './turn.life';

const HANGING = ['A', 'B', 'C'].flatMap((store) => Array.from({ length: 30 }, (_, n) => `${store}-${n}`));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('three stores whose turns hang leave places in which the messages of a fourth are taken up', async () => {
  const due = [...HANGING, 'D-0'];
  const opened: string[] = [];
  const storeOf = (conversation: string) => conversation.charAt(0);
  const lineOf = (conversation: string) => {
    const message = { storeId: storeOf(conversation), agentId: 'A1', conversationKey: conversation, messageId: 'M' };
    return { idStore: storeOf(conversation), idAgent: 'A1', idUser: 'U', idMessage: 'M', message };
  };
  const deps = {
    mailbox: {
      leaseMs: 15_000,
      renew: () => Promise.resolve(true),
      claimDue: (_: number, most: number) =>
        Promise.resolve(due.splice(0, most).map((conversation) => ({ conversation, token: conversation }))),
      drain: (conversation: string) => Promise.resolve([lineOf(conversation)]),
      release: (conversation: string) => Promise.resolve(void due.push(conversation)),
    },
    botOf: ({ idStore: id }: { idStore: string }) => Promise.resolve({ store: { id }, agent: {} }),
    asked: { limits: { begin: () => Promise.resolve({ leave: () => undefined }) } },
    conversations: {
      open: ({ key }: { key: string }) => {
        opened.push(storeOf(key));
        return new Promise(() => undefined);
      },
    },
    around: { life: new TurnLife(0), logger: silentLogger, settings: {} },
  } as unknown as LeadDeps;
  const sweeper = new Sweeper(deps);
  await sweeper.start();
  await jest.advanceTimersByTimeAsync(20_000);
  sweeper.drain();
  const count = (store: string) => opened.filter((each) => each === store).length;
  expect(count('D')).toBe(1);
  for (const store of ['A', 'B', 'C']) expect(count(store)).toBeLessThanOrEqual(20);
});
