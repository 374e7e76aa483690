import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGraphSandbox } from './index';

const README = readFileSync(join(__dirname, '../README.md'), 'utf8');
const conversation = /## A conversation[\s\S]*?```\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
const exchanges = conversation
  .trim()
  .split('\n\n')
  .map((exchange) => exchange.split('\n') as [string, string]);

/** `…` stands for any text. */
const expectation = (value: unknown): unknown => {
  if (value === '…') return expect.any(String);
  if (Array.isArray(value)) return value.map(expectation);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expectation(member)]));
};

describe('the conversation in the README of the Graph sandbox', () => {
  it('works as written', async () => {
    const sandbox = await startGraphSandbox({ port: 0 });
    expect(exchanges).toHaveLength(6);
    for (const [request, expected] of exchanges) {
      const [, method, path, body] = /^(\S+) (\S+) ?(.*)$/.exec(request) ?? [];
      const headers = { authorization: 'Bearer sandbox-token' };
      const answer = await fetch(sandbox.url + path, { method, headers, body: body || undefined });
      const [, status, json = ''] = /^(\d+) (.*)$/.exec(expected) ?? [];
      expect([request, answer.status, await answer.json()]).toEqual([
        request,
        Number(status),
        expectation(JSON.parse(json)),
      ]);
    }
    await sandbox.close();
  });
});
