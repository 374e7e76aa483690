import type { Bench, Figures, Report } from './bench.types';
import { httpRequest, measureServer } from './load';
import { alternate, median, ratioOf } from './rounds';
import type { MeasuredServer } from './server-process';
import { KEY_WIDTH, PASSWORD, startBare, startStoreAuth, USERS } from './store-auth.surroundings';

const ROUNDS = 5;
const CPU = 'CPU µs/request';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const TIMED = 200;

interface Servers {
  readonly full: MeasuredServer;
  readonly plain: MeasuredServer;
  readonly cured: MeasuredServer;
}

const post = async (server: MeasuredServer, path: string, body: object): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
};

/** Issue 3: everything but argon2 and the signature takes less than a quarter of their CPU time. */
const logins = async (report: Report, { full, plain }: Servers): Promise<void> => {
  const body = JSON.stringify({ email: 'user{key}@bench.example', password: PASSWORD });
  const request = httpRequest('/api/login', JSON_TYPE, body, KEY_WIDTH);
  const job = { connections: 6, seconds: 3, request, keys: USERS, keyWidth: KEY_WIDTH, expects: '"status":"success"' };
  const found = await alternate(
    { 'store-auth': () => measureServer(full, job), 'bare route, same crypto': () => measureServer(plain, job) },
    ROUNDS,
  );
  report.table(`POST /api/login, ${job.connections} connections`, found);
  const value = ratioOf(found['store-auth'], found['bare route, same crypto'], CPU);
  report.ratio('login-cpu', value, 'CPU, login : argon2 and RS256 in a bare route');
  report.ratio(
    'login-rate',
    ratioOf(found['store-auth'], found['bare route, same crypto'], 'requests/s'),
    'logins per second, store-auth : bare route (the database shares the cores)',
  );
};

/** Issue 3: a check costs less than two bare Express echoes. */
const checks = async (report: Report, { full, plain, cured }: Servers): Promise<void> => {
  const { text } = await post(full, '/api/login', { email: 'owner@bench.example', password: PASSWORD });
  const { token } = (JSON.parse(text) as { data: { token: string } }).data;
  const request = httpRequest('/api/check-validate-token', JSON_TYPE, JSON.stringify({ token }), 1);
  const job = { connections: 16, seconds: 1.5, request, keys: 1, keyWidth: 1, expects: '"status":"valid"' };
  const found = await alternate(
    {
      'store-auth': () => measureServer(full, job),
      'bare Express echo': () => measureServer(plain, job),
      'bare Express echo, prototype cure': () => measureServer(cured, job),
    },
    ROUNDS,
  );
  report.table(`POST /api/check-validate-token, ${job.connections} connections`, found);
  report.ratio('check-cpu', ratioOf(found['store-auth'], found['bare Express echo'], CPU), 'CPU, check : bare echo');
  const cure = ratioOf(found['store-auth'], found['bare Express echo, prototype cure'], CPU);
  report.ratio('check-cpu-cured', cure, 'CPU, check : bare echo with the prototype cure');
};

/** Alternates unknown users and wrong passwords, so that other load on the machine affects both alike. */
const timing = async (report: Report, { full }: Servers): Promise<void> => {
  const times = { unknown: [] as number[], wrong: [] as number[] };
  const who = { unknown: 'nobody@bench.example', wrong: 'user00@bench.example' };
  for (let n = -10; n < TIMED; n++)
    for (const kind of ['unknown', 'wrong'] as const) {
      const begun = performance.now();
      const { status } = await post(full, '/api/login', { email: who[kind], password: `wrong ${n}` });
      if (status !== 401) throw new Error(`a wrong login was answered ${status}`);
      if (n >= 0) times[kind].push(performance.now() - begun);
    }
  const [unknown, wrong] = [median(times.unknown), median(times.wrong)];
  const figures = (value: number): Figures => ({ 'median ms': value });
  report.table(`${TIMED} refused logins of each kind, in turn`, { unknown: figures(unknown), wrong: figures(wrong) });
  const meaning = 'medians, the slower : the faster of unknown and wrong';
  report.ratio('timing', Math.max(unknown, wrong) / Math.min(unknown, wrong), meaning);
};

/** What store-auth adds to the unavoidable crypto, and whether the time of a refusal reveals who has an account. */
export const bench: Bench = {
  name: 'store-auth',
  run: async (report) => {
    report.progress('store-auth with its database, two bare servers');
    const full = await startStoreAuth(report);
    const servers = { full, plain: await startBare(report, 'plain'), cured: await startBare(report, 'cured') };
    report.progress('refused logins');
    await timing(report, servers);
    report.progress('token checks');
    await checks(report, servers);
    report.progress('logins');
    await logins(report, servers);
    report.note(
      'store-auth: the real program in production settings, argon2id m=19456 t=2 p=1, RS256 of 2048 bits, access log to a file, its own PostgreSQL with fsync on.',
    );
    report.note(
      'A check verifies the signature every time and reads the login, its user, membership and store in one prepared statement.',
    );
    report.note(
      'A login takes ten statements: two counters, user, the logins before, memberships, session with refresh token, history, two counters back.',
    );
  },
};
