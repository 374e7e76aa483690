import { useGateway, until } from '../../gateway.fixture';
import { watchStatements } from '../../statements.fixture';
import type { DeviceLine } from '../devices/device-line';

const BUDI = '628123456789';
/** Background work of the gateway, and what plays WhatsApp. */
const ASIDE = /outbox_claim|\bsim_|\blease\b|LISTEN|graphile|current_schema/;
let statements: string[];
let line: DeviceLine;

const gateway = useGateway();
beforeAll(async () => {
  const { client, app } = gateway;
  await client.link('dev1');
  await client.customer(BUDI, 'dev1', 'halo');
  await until(
    () => gateway.receiver.messages().length,
    (count) => count === 1,
  );
  line = (await app.fleet.here('dev1')) as DeviceLine;
  statements = watchStatements(app.database, ASIDE);
});
beforeEach(() => statements.splice(0));

it('an accepted send costs at most four statements, with its callback', async () => {
  line.outgoing.pause();
  expect((await gateway.client.send('B-1', BUDI, 'halo', { instanceID: 'dev1' })).status).toBe(200);
  expect(statements.length).toBeGreaterThan(0);
  // The callback of `pending` is delivered meanwhile: one more statement for its end
  expect(statements.filter((name) => !name.startsWith('outbox_finish')).length).toBeLessThanOrEqual(4);
  line.outgoing.resume();
});

it('an inbound message costs one statement to store and at most three until its callback is delivered', async () => {
  const sink = gateway.app.sinkOf(line);
  const { receiver } = gateway;
  await until(
    () => gateway.database.query(`SELECT 1 FROM outbox_row WHERE state = 'queued'`),
    ({ length }) => length === 0,
  );
  receiver.reset();
  statements.splice(0);
  const chat = `${BUDI}@s.whatsapp.net`;
  const count = 20;
  for (let n = 0; n < count; n++)
    await sink.message({ id: `IN-${n}`, chat, fromMe: false, at: 1_795_180_000, kind: 'chat', text: 'x', raw: {} });
  await until(
    () => gateway.database.query(`SELECT 1 FROM outbox_row WHERE state = 'queued'`),
    ({ length }) => length === 0,
  );
  expect(receiver.messages()).toHaveLength(count);
  expect(statements.filter((name) => name === 'message_inbound')).toHaveLength(count);
  expect(statements.length).toBeLessThanOrEqual(3 * count);
});

it('a status costs one statement, callback included', async () => {
  const sink = gateway.app.sinkOf(line);
  await sink.status({ id: 'nobody', chat: `${BUDI}@s.whatsapp.net`, level: 'sent', at: 1_795_180_000 });
  expect(statements.filter((name) => !name.startsWith('outbox_finish'))).toEqual(['status_raise']);
});
