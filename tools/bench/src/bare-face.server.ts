// What a face sends and reads, behind node:http, and nothing else: who asks, the owner's answer, what is known beside it, taken apart and put together again.
import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Pool } from 'pg';
import type { BareFace } from './bare-face';
import { sessionOptions } from './sql-ceiling';

const [port, file = ''] = process.argv.slice(2);
const { url, schema, statements, owner } = JSON.parse(readFileSync(file, 'utf8')) as BareFace;
const pool = new Pool({ connectionString: url, max: 10, options: sessionOptions({ schema }) });
const agent = new Agent({ keepAlive: true });
const length = Buffer.byteLength(owner.body);

const owners = async (): Promise<object> => {
  const headers = { ...owner.headers, 'Content-Length': length };
  const answer = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    request(owner.url, { method: 'POST', agent, headers }, resolve).on('error', reject).end(owner.body);
  });
  return JSON.parse(await text(answer)) as object;
};

const ask = (at: number) => pool.query<object>({ name: `face ${at}`, text: statements[at] ?? '' });

const answerOf = async (): Promise<string> => {
  await ask(0);
  const page = await owners();
  const beside: unknown[] = [];
  for (let at = 1; at < statements.length; at += 1) beside.push((await ask(at)).rows);
  return JSON.stringify({ ...page, beside });
};

createServer((asked, response) => {
  if (asked.url === '/ready') return void response.end();
  void answerOf().then((answer) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(answer);
  });
}).listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
