import { startGate } from './gate';
import { startHttpServer } from './http-server';
import { useOpened } from './use-running';

const ended = useOpened();
const hello = () => startHttpServer((_, response) => response.end('hello'));
const reach = (url: string, signal?: AbortSignal) =>
  fetch(url, { signal }).then(
    (answer) => answer.text(),
    () => 'away',
  );

it('a gate lets through until it is closed, and again when it is opened', async () => {
  const gate = await startGate(ended(await hello()).url);
  const open = await reach(gate.url);
  await gate.close();
  const closed = await reach(gate.url);
  await gate.open();
  expect([open, closed, await reach(ended(gate).url)]).toEqual(['hello', 'away', 'hello']);
});

it("a gate that hangs drops the target's answers", async () => {
  const gate = ended(await startGate(ended(await hello()).url));
  gate.hang(true);
  expect(await reach(gate.url, AbortSignal.timeout(500))).toBe('away');
});
