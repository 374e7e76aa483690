import { join } from 'node:path';
import type { Bench, Report } from './bench.types';
import { httpRequest, measureServer } from './load';
import type { LoadJob } from './load.types';
import { alternate, ratioOf } from './rounds';
import { scratchFolder } from './scratch-folder';
import { startServer, type MeasuredServer } from './server-process';

const ROUNDS = 9;
const SECONDS = 1;
const CONNECTIONS = 32;
const ROUTES = 300;
const CPU = 'CPU µs/request';

const server = async (report: Report): Promise<MeasuredServer> => {
  const { path } = await scratchFolder(report);
  return report.shared(`${ROUTES} routes`, () =>
    startServer({
      script: 'tools/bench/src/routes.server.ts',
      args: ['{port}', String(ROUTES)],
      readyPath: '/ready',
      log: join(path, 'route-lookup.log'),
    }),
  );
};

const jobFor = (route: number): Omit<LoadJob, 'port'> => ({
  keys: 1,
  keyWidth: 1,
  expects: '"part":"8"',
  awake: true,
  connections: CONNECTIONS,
  seconds: SECONDS,
  request: httpRequest(`/api/area${route % 20}/thing${route}/7/parts/8`, {}, '', 1),
});

/** What a request to the last of many parameterised routes costs, compared with one to the first. */
export const bench: Bench = {
  name: 'route-lookup',
  run: async (report) => {
    const measured = await server(report);
    report.progress(`${ROUTES} routes, ${ROUNDS} rounds`);
    const found = await alternate(
      {
        'the first route': () => measureServer(measured, jobFor(0)),
        'the last route': () => measureServer(measured, jobFor(ROUTES - 1)),
      },
      ROUNDS,
    );
    report.table(`POST to one of ${ROUTES} routes with two parameters, ${CONNECTIONS} connections`, found);
    report.ratio('cpu', ratioOf(found['the last route'], found['the first route'], CPU), 'CPU, last : first route');
  },
};
