import type { Bench, Figures, Report } from './bench.types';
import { chatBackend } from './chat-backend';
import { askChild, forkScript } from './server-process';
import type { SocketJob, SocketResult } from './socket-load.types';
import { tokenIssuer } from './token-issuer';

/** The total of events per second is the same in all shapes, so that the listening process does not cause a difference. */
const SHAPES = [
  { sockets: 500, slow: 0, messages: 100, perSecond: 10 },
  { sockets: 500, slow: 5, messages: 100, perSecond: 10 },
  { sockets: 5_000, slow: 0, messages: 20, perSecond: 1 },
];

const nameOf = ({ sockets, slow }: (typeof SHAPES)[number]): string =>
  `${sockets.toLocaleString('en-US')} sockets${slow > 0 ? `, ${slow} of them do not read` : ''}`;

const measure = async (report: Report, shape: (typeof SHAPES)[number]): Promise<Figures> => {
  const { server } = await chatBackend(report);
  const { tokenFor } = await tokenIssuer(report);
  const job: SocketJob = { port: server.port, token: tokenFor('chat-backend', 'S1', ['3']), ...shape };
  const before = await server.cpuMicroseconds();
  const child = forkScript(['tools/bench/src/socket-load.child.ts'], {}, 'inherit');
  const { missing, connected, ...times } = await askChild<SocketResult>(child, job);
  if (missing > 0) throw new Error(`${missing} events never reached a socket that reads`);
  const used = (await server.cpuMicroseconds()) - before;
  return {
    'event p50 ms': times.p50,
    'event p99 ms': times.p99,
    'answer p50 ms': times.answer50,
    'answer p99 ms': times.answer99,
    'connected in s': connected,
    'CPU ms in all': used / 1000,
  };
};

/** Measures from a customer's message to the sockets of the whole team. */
export const bench: Bench = {
  name: 'socket-delivery',
  run: async (report) => {
    const rows: Record<string, Figures> = {};
    for (const shape of SHAPES) {
      report.progress(nameOf(shape));
      rows[nameOf(shape)] = await measure(report, shape);
    }
    report.table('From the gateway’s request to the event `updateChatlist` at every socket of the team', rows);
    const [alone = {}, beside = {}] = Object.values(rows);
    report.ratio('p99-500', alone['event p99 ms'] ?? NaN, 'milliseconds, p99 with 500 sockets');
    report.ratio(
      'slow',
      (beside['event p99 ms'] ?? NaN) / (alone['event p99 ms'] ?? NaN),
      'p99 beside five clients that do not read : without them',
    );
    report.note(
      'Times include the request, the ingest and its commit; the answer to the request leaves after the same commit, so the difference between the two is the fan-out.',
    );
    report.note('The bench fails unless every reading socket got every event.');
  },
};
