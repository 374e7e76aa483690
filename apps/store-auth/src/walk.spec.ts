import { join } from 'node:path';
import { useRecordedAnswers, useRunning } from '@platform/testing';
import { bearer, useApp } from './app.fixture';
import { startFakeCommerce } from './clients/commerce.fake';
import { walkCases } from './walk.cases.fixture';

const commerce = useRunning(() =>
  startFakeCommerce({
    S1: [
      { product_id: 'P1', variant_id: 'V1', sku: 'SEPATU-42', stock: 7 },
      { product_id: 'P2', variant_id: 'V2', sku: 'KAOS-M', stock: 1 },
    ],
  }),
);
const { app } = useApp(() => ({ environment: { COMMERCE_URL: commerce.url } }));
const recorded = useRecordedAnswers(join(__dirname, 'examples.answers.json'), [
  // Every user of the walk has their own address
  [/baru\d+@/, () => 'baru@'],
]);

/** `examples.spec.ts` calls the examples that a declaration holds; these cases need something prepared first. */
it.each(Object.entries(walkCases))('a valid call of %s answers what the documentation shows', async (route, walk) => {
  const [method, path = ''] = route.split(' ');
  const { path: called = path, body, headers } = await walk(app);
  const sent = headers ?? (path.startsWith('/internal/') ? bearer(await app.serviceToken('commerce-api')) : {});
  const answer =
    method === 'GET'
      ? await app.get(called, sent)
      : await app[method?.toLowerCase() as 'post' | 'put' | 'delete'](called, body, sent);
  expect({ [route]: answer.status }).toEqual({ [route]: path === '/internal/users' && body ? 201 : 200 });
  recorded(route, { request: body, status: answer.status, response: answer.body });
});
