import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { until } from '@platform/testing';
import type { LeadDeps } from './lead.types';
import { leads } from './leader';
import { TurnLife } from './turn.life';
import type { StoreBot } from './turn.types';

it('a place that a turn gets after its lines have failed is given back: no store loses it for good', async () => {
  let left = 0;
  const place = { leave: async () => void (left += 1) };
  const deps = {
    mailbox: {
      leaseMs: 15_000,
      drain: () => Promise.reject(new Unavailable('redis is down')),
      release: () => Promise.reject(new Unavailable('redis is down')),
    },
    asked: { limits: { begin: () => delay(50, place) } },
    around: { life: new TurnLife(0), logger: silentLogger, settings: {} },
  } as unknown as LeadDeps;
  const bot = { store: { id: 'S1' }, agent: {} } as unknown as StoreBot;
  const led = leads(deps, { conversation: 'c', token: 't', begunAt: Date.now(), bot });
  await expect(led).rejects.toBeInstanceOf(Unavailable);
  expect(await until(() => left)).toBe(1);
});
