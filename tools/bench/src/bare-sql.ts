import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures } from './bench.types';
import { getRequest, measureServer } from './load';
import { alternate } from './rounds';
import { startServer } from './server-process';
import type { SqlJob } from './sql-load.types';

export const bareNote =
  'Bare: the same statements behind node:http and pg alone, asked by the same generator, measured where a service exceeds its limit. What bare exceeds too, no service in Node.js holds on this machine.';

/** The least that an answer with these statements costs over HTTP, as medians of so many rounds. */
export const bareCeiling = async (
  job: SqlJob,
  { folder, keyWidth, rounds }: { readonly folder: string; readonly keyWidth: number; readonly rounds: number },
): Promise<Figures> => {
  const file = join(folder, 'bare.json');
  writeFileSync(file, JSON.stringify(job));
  const server = await startServer({
    ...{ script: 'tools/bench/src/bare-sql.server.ts', args: ['{port}', file] },
    ...{ readyPath: '/ready', log: join(folder, 'bare.log') },
  });
  const { connections, seconds, keys } = job;
  const load = { connections, seconds, keys, keyWidth, request: getRequest('/{key}', {}), expects: '{"rows":[' };
  try {
    return (await alternate({ bare: () => measureServer(server, load) }, rounds)).bare;
  } finally {
    await server.stop();
  }
};
