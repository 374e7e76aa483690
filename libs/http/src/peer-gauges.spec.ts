import { fixedClock } from '@platform/runtime';
import { httpClient, type PeerHealth } from './client';
import { createMetrics } from './metrics';
import { peer } from './peer';
import { peerGauges } from './peer-gauges';
import { path } from './peer-path';
import { answers, startSibling } from './sibling.fixture';

let sibling: Awaited<ReturnType<typeof startSibling>>;
beforeAll(async () => {
  sibling = await startSibling();
});
afterAll(() => sibling.stop());

it('/metrics has the breaker of every sibling, with the calls that it refused', async () => {
  const clock = fixedClock('2026-03-01T08:00:00.000Z');
  const http = httpClient('chat-backend', sibling.url);
  const other = httpClient('bot-engine', sibling.url);
  const chat = peer('chat-backend', http, { timeoutMs: 1_000, breaker: { failures: 1, pauseMs: 5_000, clock } });
  peer('bot-engine', other, { timeoutMs: 1_000 });
  const metrics = createMetrics('fixture');
  for (const gauge of peerGauges([{ name: 'database' }, [http, other]])) metrics.addGauge(gauge);
  const shown = async () =>
    (await metrics.render())
      .split('\n')
      .flatMap((line) => /^(peer_\w+)\{peer="([\w-]+)",service="fixture"\} (\d)$/.exec(line)?.slice(1).join(' ') ?? []);
  const ask = () => chat.ask({ path: path('/v1/any') }).catch(() => undefined);
  const lines = (state: number, refused: number) => [
    `peer_breaker_state chat-backend ${state}`,
    'peer_breaker_state bot-engine 0',
    `peer_calls_refused_total chat-backend ${refused}`,
    'peer_calls_refused_total bot-engine 0',
  ];

  expect(await shown()).toEqual(lines(0, 0));
  sibling.state.does = answers(502, 'away');
  for (let calls = 0; calls < 3; calls++) await ask();
  expect(await shown()).toEqual(lines(2, 2));
  clock.advance(5_000);
  expect(await shown()).toEqual(lines(1, 2));
  sibling.state.does = answers(200, {});
  await ask();
  expect(await shown()).toEqual(lines(0, 2));
  await Promise.all([http.stop?.(), other.stop?.()]);
});

it('/metrics has one line for siblings of one name: the worst state, and the sum of refused calls', async () => {
  const line = (state: PeerHealth['state'], refusedCalls: number): PeerHealth => ({
    name: 'graph',
    state,
    refusedCalls,
  });
  const client = (...peers: PeerHealth[]) => ({ name: 'graph', peers });
  const clients = [client(line('half', 2), line('open', 3)), [client(line('closed', 4))]];
  const metrics = createMetrics('fixture');
  for (const gauge of peerGauges(clients)) metrics.addGauge(gauge);
  expect((await metrics.render()).split('\n').filter((text) => text.includes('peer_'))).toEqual([
    '# HELP peer_breaker_state Breaker of the calls to a sibling: 0 closed, 1 half open, 2 open',
    '# TYPE peer_breaker_state gauge',
    'peer_breaker_state{peer="graph",service="fixture"} 2',
    '# HELP peer_calls_refused_total Calls to a sibling that failed at once: its breaker was open, or too many were under way',
    '# TYPE peer_calls_refused_total counter',
    'peer_calls_refused_total{peer="graph",service="fixture"} 9',
  ]);
});

it('/metrics has no breakers in a service that calls no sibling', () =>
  expect(peerGauges([{ name: 'database' }, [httpClient('graph', 'http://127.0.0.1:1')]])).toEqual([]));
