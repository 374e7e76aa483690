/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { createLogger } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { engineOn, link, RecordingSink, storeIn, useSandbox } from './engine.fixture';

const SHOP = '628110000001';
const BUDI = '628123456789';

const { database, sandbox } = useSandbox();
const budi = useRunning(() => sandbox.phone(BUDI, { name: 'Budi' }));

it('a conversation with retries and reconnections leaves no key, no code and no word of it in any log', async () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'debug', write: (line) => void lines.push(line) });
  const sink = new RecordingSink();
  sink.store = storeIn(database);
  const engine = engineOn({ database, sandbox, logger });
  await link(engine, sink, sandbox, SHOP);
  const heard = (text: string) => until(() => sink.messages.some((message) => message.text === text), Boolean);
  await budi.sendText(SHOP, 'rahasia satu');
  await heard('rahasia satu');
  sandbox.faults({ garble: 2 }, SHOP);
  await budi.sendText(SHOP, 'rahasia dua');
  await heard('rahasia dua');
  await engine.send(`${BUDI}@s.whatsapp.net`, { kind: 'text', text: 'rahasia tiga' }, { id: '3EB0SECRET' });
  await budi.waitFor(({ text }) => text === 'rahasia tiga');
  await sandbox.disconnect(SHOP, 'lost');
  await until(
    () => sink.last(),
    (state) => state === 'connected',
  );
  await engine.stop();
  const log = lines.join('\n');
  expect(log).toContain('the client library reports');
  expect(log).not.toMatch(/rahasia|privKey|rootKey|chainKey|"private"/i);
  expect(log).not.toContain(sink.codes[0]?.qr ?? 'no code');
  const rows = await database.query<{ value: string }>(
    `SELECT value FROM auth_key UNION ALL SELECT raw_enc FROM message WHERE raw_enc IS NOT NULL`,
  );
  expect(rows.every(({ value }) => /^v1\.[0-9a-f]{8}\.[\w-]+$/.test(value))).toBe(true);
});
