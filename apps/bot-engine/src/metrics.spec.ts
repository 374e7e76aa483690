import { metricsOf, startGate, until, useDatabase, useOpened } from '@platform/testing';
import { question, seed, startBot, TABLES } from './app.fixture';

const database = useDatabase(TABLES);
const opened = useOpened();

it('/metrics of bot-engine shows its database down and the questions that fail while that is away', async () => {
  await seed(database.url);
  const gate = await startGate(database.url);
  const bot = opened(await startBot({ DATABASE_URL: gate.url }));
  opened(gate);
  const up = async () => (await metricsOf(bot.url, 'component_up'))['component_up{component="bot-engine"}'];
  const failed = async () => {
    const counts = await metricsOf(bot.url, 'http_request_duration_seconds_count');
    return counts['http_request_duration_seconds_count{method="POST",route="/api/chatbot-api",status="503"}'];
  };
  expect([await up(), await failed()]).toEqual([1, undefined]);
  await gate.close();
  expect((await bot.post('/api/chatbot-api', question())).status).toBe(503);
  expect([await up(), await until(failed)]).toEqual([0, 1]);
});
