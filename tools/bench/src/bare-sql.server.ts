// The statements of one request behind node:http and pg, and nothing else: nobody is asked who they are, nothing is read, checked, logged or shaped.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { sessionOptions } from './sql-ceiling';
import { byParameter, type SqlJob } from './sql-load.types';

const [port, file = ''] = process.argv.slice(2);
const job = JSON.parse(readFileSync(file, 'utf8')) as SqlJob;
const statements = job.statements.map(byParameter);
/** As many connections as a service has. */
const pool = new Pool({ connectionString: job.url, max: 10, options: sessionOptions(job) });

const answerOf = async (key: number): Promise<string> => {
  const client = await pool.connect();
  let rows: unknown[] = [];
  for (const [at, { text, isKeyed }] of statements.entries())
    ({ rows } = await client.query<object>({ name: `bare ${at}`, text, values: isKeyed ? [key] : [] }));
  client.release();
  return JSON.stringify({ rows });
};

createServer((request, response) => {
  if (request.url === '/ready') return void response.end();
  void answerOf(Number(request.url?.slice(1))).then((answer) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(answer);
  });
}).listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
