import { caller, hostileCalls, hostileTexts, textFieldsOf } from '@platform/testing';
import { BUDI, furnish } from './contract-routes.fixture';
import { useCloudGateway } from './engines/cloud/cloud.fixture';
import { offlineService, until } from './gateway.fixture';
import { walkCases } from './walk.cases.fixture';

const service = offlineService();
const fieldsOf = textFieldsOf(service);
const routes = service.endpoints.map(({ method, path }) => [method.toUpperCase(), path] as const);
const { gateway } = useCloudGateway();
beforeAll(() => furnish(gateway));

it.each(routes)('%s %s with a hostile text in any field breaks nothing', async (method, template) => {
  const { path = template, body } = (await walkCases[`${method} ${template}`]?.(gateway)) ?? {};
  const call = caller(gateway.client.url);
  const broken: unknown[] = [];
  for (const [named, hostile] of Object.entries(hostileTexts))
    for (const { where, ...hit } of hostileCalls({ method, template, path, body }, fieldsOf, hostile)) {
      const { status, body: answer } = await call(hit.path, { method, ...(hit.body ? { body: hit.body } : {}) });
      if (status >= 500) broken.push([named, where, status, answer]);
    }
  expect(broken).toEqual([]);
});

it('what was accepted with hostile texts leaves, and so does what comes after it', async () => {
  const { client } = gateway;
  await client.data(client.send('P-after', BUDI, 'berikutnya', { instanceID: 'dev1' }));
  await until(
    () => client.shows(BUDI),
    (texts) => texts.includes('berikutnya'),
  );
  const waiting = `SELECT id FROM message WHERE instance_id = 'dev1' AND send_state IN ('queued', 'sending', 'sent_to_engine')`;
  await until(
    () => gateway.database.query(waiting),
    ({ length }) => length === 0,
  );
});

it('the description of the gateway names texts, or nothing was tried', () => {
  expect(fieldsOf('POST', '/api/send-message').body.map(({ at }) => at.join('.'))).toContain('role');
  expect(fieldsOf('POST', '/sim/messages').body.map(({ at }) => at.join('.'))).toContain('poll.options.0');
  expect(fieldsOf('GET', '/api/qrcode').query).toContain('instanceID');
});
