/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { until } from '@platform/testing';
import type { BaileysEngine } from './baileys.engine';
import { engineOn, link, RecordingSink, useSandbox } from './engine.fixture';

const { database, sandbox } = useSandbox();
const running: BaileysEngine[] = [];
afterEach(() => Promise.all(running.splice(0).map((engine) => engine.stop())));

const linked = async (instanceId: string, number: string) => {
  const engine = engineOn({ database, sandbox, device: { instanceId } });
  running.push(engine);
  const sink = new RecordingSink();
  await link(engine, sink, sandbox, number);
  return sink;
};
/** What the sink was asked, each time before it answered. */
const asked = (sink: RecordingSink, name: 'isOurs' | 'forgives', ...answers: (boolean | Error)[]) => {
  const question = jest.spyOn(sink, name);
  for (const answer of answers)
    if (answer instanceof Error) question.mockRejectedValueOnce(answer);
    else question.mockResolvedValueOnce(answer);
  return question;
};
const states = (sink: RecordingSink, count: number) =>
  until(
    () => sink.states.map(({ state }) => state),
    ({ length }) => length >= count,
  );
const logins = () => sandbox.state().counters.logins ?? 0;
const archived = (instanceId: string) =>
  database.query('SELECT type FROM auth_key WHERE instance_id = $1 AND archived_at IS NOT NULL', [instanceId]);

it('a device that was replaced by a process of ours comes back; by the next one it is replaced for good', async () => {
  const sink = await linked('forgiven', '628110000201');
  asked(sink, 'forgives', true);
  const before = sink.states.length;
  await sandbox.disconnect('628110000201', 440);
  expect((await states(sink, before + 2)).slice(before)).toEqual(['reconnecting', 'connected']);
  await sandbox.disconnect('628110000201', 440);
  expect((await states(sink, before + 3)).slice(before)).toEqual(['reconnecting', 'connected', 'replaced']);
});

it.each([440, 401, 403, 405] as const)(
  'what WhatsApp says with %i to a process that has the device no longer is nobody’s end, and takes no keys from who has it',
  async (code) => {
    const [id, number] = [`taken-${code}`, `628110001${code}`];
    const sink = await linked(id, number);
    const before = sink.states.length;
    const question = asked(sink, 'isOurs', false);
    const logged = logins();
    await sandbox.disconnect(number, code);
    await until(
      () => question.mock.results.length,
      (count) => count === 1,
    );
    await question.mock.results[0]?.value;
    await new Promise((resolve) => setImmediate(resolve));
    expect([sink.states.length, await archived(id), logins()]).toEqual([before, [], logged]);
  },
);

it('a line that was cut does not log in again where another process has the device by then', async () => {
  const sink = await linked('cut', '628110000202');
  const question = asked(sink, 'isOurs', false);
  const logged = logins();
  await sandbox.disconnect('628110000202', 'lost');
  await until(
    () => question.mock.results.length,
    (count) => count === 1,
  );
  await question.mock.results[0]?.value;
  await new Promise((resolve) => setImmediate(resolve));
  expect([sink.last(), logins()]).toEqual(['reconnecting', logged]);
});

it('a device that was replaced while nobody can tell by whom waits until somebody can', async () => {
  const sink = await linked('unknown', '628110000203');
  asked(sink, 'forgives', new Error('the store is away'), true);
  const before = sink.states.length;
  await sandbox.disconnect('628110000203', 440);
  expect((await states(sink, before + 2)).slice(before)).toEqual(['reconnecting', 'connected']);
});
