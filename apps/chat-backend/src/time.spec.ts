import { offlineService } from './chat.fixture';

it.each(['', ' (CRM_DATABASE_URL)'])('the time of the database is known before jobs go by it%s', (source) => {
  const { components } = offlineService({ CRM_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/crm' });
  const stages = components.map((stage) => [stage].flat().map(({ name }) => name));
  const [known, begun] = [`clock${source}`, `jobs chat_backend_jobs${source}`].map((name) =>
    stages.findIndex((names) => names.includes(name)),
  );
  expect([known, begun]).not.toContain(-1);
  expect(known).toBeLessThan(begun ?? -1);
});
