import { join } from 'node:path';
import type { Bench, Report } from './bench.types';
import { httpRequest, measureServer } from './load';
import type { LoadJob } from './load.types';
import { alternate, ratioOf } from './rounds';
import { scratchFolder } from './scratch-folder';
import { startServer, type MeasuredServer } from './server-process';
import { tokenIssuer } from './token-issuer';

const ROUNDS = 7;
const SECONDS = 1;
const CONNECTIONS = 32;
const CPU = 'CPU µs/request';

const BODY = JSON.stringify({
  id: '{id}',
  nohp: '6281234567890',
  instance: 'dev1',
  text: 'Halo kak, sepatu lari hitam ukuran 42 masih ada?',
  type: 'chat',
  timestamp: 1_795_157_100,
});

const servers = async (report: Report): Promise<Record<'full' | 'flags' | 'cured' | 'plain', MeasuredServer>> => {
  const { path } = await scratchFolder(report);
  const { url } = await tokenIssuer(report);
  const log = join(path, 'json-request.log');
  const bare = (cure: string) =>
    startServer({ script: 'tools/bench/src/bare.server.ts', args: ['{port}', 'json', cure], readyPath: '/ready', log });
  const whole = (flags: string) =>
    startServer({ script: 'tools/bench/src/full.server.ts', args: ['{port}', url, flags], readyPath: '/ready', log });
  return {
    full: await report.shared('full stack', () => whole('plain')),
    flags: await report.shared('full stack, flags', () => whole('flags')),
    cured: await report.shared('bare route, cured', () => bare('cured')),
    plain: await report.shared('bare route, plain', () => bare('plain')),
  };
};

const jobOf = async (report: Report): Promise<Omit<LoadJob, 'port'>> => {
  const { tokenFor } = await tokenIssuer(report);
  const authorization = `Bearer ${tokenFor('bench', 'S1', ['3'])}`;
  const headers = { 'Content-Type': 'application/json', Authorization: authorization };
  const request = httpRequest('/v1/echo', headers, BODY, 1);
  const common = { keys: 1, keyWidth: 1, expects: '"result":true', awake: true };
  return { ...common, connections: CONNECTIONS, seconds: SECONDS, request };
};

/** What our whole stack adds to a bare Express route that reads and writes the same JSON. */
export const bench: Bench = {
  name: 'json-request',
  run: async (report) => {
    const { full, flags, cured, plain } = await servers(report);
    const job = await jobOf(report);
    report.progress(`four servers, ${ROUNDS} rounds`);
    const found = await alternate(
      {
        'whole stack': () => measureServer(full, job),
        'whole stack, flags of a bundle': () => measureServer(flags, job),
        'bare Express 5, prototype cure': () => measureServer(cured, job),
        'bare Express 5': () => measureServer(plain, job),
      },
      ROUNDS,
    );
    report.table(`POST a JSON body of ${BODY.length + 16} bytes, ${CONNECTIONS} connections`, found);
    const whole = found['whole stack'];
    report.ratio(
      'cpu',
      ratioOf(whole, found['bare Express 5, prototype cure'], CPU),
      'CPU, whole stack : cured bare route',
    );
    report.ratio(
      'cpu-plain',
      ratioOf(whole, found['bare Express 5'], CPU),
      'CPU, whole stack : bare route without the cure',
    );
    report.ratio(
      'flags',
      ratioOf(found['whole stack, flags of a bundle'], whole, CPU),
      'CPU, whole stack under the flags of a bundle : without them',
    );
    report.note(
      'Whole stack: routing, context and request id, token (remembered after its first check), validation of six fields, handler, reply by its DTO, envelope, metrics, one access-log line through winston to a file.',
    );
    report.note(
      'The load generator never sleeps here: the kernel bills waking it to the server that answers it, on some virtual machines as much as a whole bare route costs.',
    );
    report.note('Bare route: `express.json`, `response.json` of the same answer; no token, no check, no log.');
  },
};
