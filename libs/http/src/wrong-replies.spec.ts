import { plainEnvelope } from '@platform/envelopes';
import { createLogger } from '@platform/runtime';
import { Decimal, Int } from '@platform/validation';
import { endpointsOf } from './endpoint';
import { startService } from './server';
import { fixtureService } from './service.fixture';
import { dataOf } from './shaped';

class Order {
  @Int() lines!: number;
  @Decimal() weight!: number;
}

const endpoint = endpointsOf<{ public: undefined }>();

it.each([
  ['lines', '7', 'a string'],
  ['lines', Number.NaN, 'NaN'],
  ['weight', Number.POSITIVE_INFINITY, 'Infinity'],
])('a reply whose %s is %j is a 500 that the log explains, never a wrong body', async (member, value, gave) => {
  const log: Record<string, unknown>[] = [];
  const logger = createLogger({ service: 'orders', write: (line) => log.push(JSON.parse(line) as never) });
  const order = { lines: 1, weight: 0.5, [member]: value };
  const orders = endpoint({
    get: '/orders/{id}',
    summary: 'One order',
    guard: 'public',
    envelope: plainEnvelope,
    reply: dataOf(Order),
    handle: () => order,
  });
  const service = await startService(fixtureService({ endpoints: [orders] }), { port: 0, host: '127.0.0.1', logger });
  const answer = await fetch(`${service.url}/orders/1`);
  const body: unknown = await answer.json();
  await service.stop();
  expect([answer.status, body]).toEqual([500, { status: 'error', message: 'internal server error' }]);
  const said = `The reply Order.${member} must be a number, the handler gave ${gave}`;
  expect(log.filter(({ level }) => level === 'error')).toEqual([
    expect.objectContaining({ message: 'request failed unexpectedly', route: '/orders/{id}' }),
  ]);
  expect(JSON.stringify(log)).toContain(said);
});
