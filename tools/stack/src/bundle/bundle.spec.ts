import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { explain } from '../build';
import { workspaceRoot } from '../workspace';
import { bundle } from './bundle';
import { FILES } from './loader';
import { inAscii } from './plugins';
import { withoutUnused } from './redis-client';

let directory: string;
beforeEach(() => {
  mkdirSync(join(workspaceRoot, 'dist'), { recursive: true });
  directory = mkdtempSync(join(workspaceRoot, 'dist/bundle-'));
  writeFileSync(join(directory, 'package.json'), '{ "name": "shop" }');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const bundled = (source: string) => {
  writeFileSync(join(directory, 'source.ts'), source);
  return bundle(join(directory, 'source.ts'), directory);
};
/** From another working directory, as a container or a service manager would start it. */
const node = (...args: string[]) => {
  const env = { ...environment, FORCE_COLOR: '0' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: tmpdir(), encoding: 'utf8', env });
  return { status, stdout, stderr };
};
const run = () => node(join(directory, 'main.cjs'));
const record = () => {
  const script = join(workspaceRoot, 'tools/stack/src/bundle/record.ts');
  expect(node('-r', join(workspaceRoot, 'tools/swc-hook.cjs'), script, directory)).toMatchObject({
    status: 0,
    stderr: '',
  });
};
const warning = (reason: unknown) => ({
  level: 'warn',
  time: expect.any(String),
  service: 'shop',
  message: 'the code cache is not used: the start takes longer',
  reason,
});

describe('the bundle of an app', () => {
  it('keeps the types that decorators read and the names of classes', async () => {
    await bundled(`import 'reflect-metadata';
      const seen: PropertyDecorator = (target, key) => console.log(target.constructor.name, Reflect.getMetadata('design:type', target, key).name);
      export class Message { @seen at!: Date; @seen seq!: number; }`);
    expect(run().stdout).toBe('Message Date\nMessage Number\n');
  });

  it('names functions as their sources do, and gives none a shape of its own for it', async () => {
    await bundled(`
      const open = () => 1; function close() {} const shop = { sell: async () => 2, 'buy': function () {}, pay(): void {} };
      const both = [open, close, shop.sell, shop.buy, shop.pay, class Till { static of = () => Till }];
      const twice = { closed: function close() {}, named: ((given) => given)(function stays() {}) };
      const inner = (open: unknown) => { const close = () => open; class Till {} return [close, Till]; };
      const names = (all: readonly any[]) => all.map((each) => each.name).join(' ');
      console.log(names(both), '|', names(Object.values(twice)), '|', names(inner(1)), '|', names([() => 1]));`);
    expect(run().stdout).toBe('open close sell buy pay Till | close stays | close Till | \n');
    const code = readFileSync(join(directory, FILES.code), 'latin1');
    // Those whose own name esbuild has left out or moved away from them
    expect(code.match(/__name\((async )?(\(|function)/g)).toHaveLength(3);
  });

  it('leaves out packages with native code, and ignores packages that are not installed', async () => {
    const { outside, ours, missing } = await bundled(
      `import { Pool } from 'pg'; import { hash } from '@node-rs/argon2'; console.log(typeof Pool, typeof hash);`,
    );
    // `pg` asks for pg-native only when a program does.
    expect({ outside, ours, missing }).toEqual({
      outside: ['@node-rs/argon2', 'pg-native'],
      ours: ['@node-rs/argon2'],
      missing: ['pg-native'],
    });
  });

  it('names file and line where our own sources import something that does not exist', async () => {
    const failure: unknown = await bundled(`export const one = 1;\nexport { two } from './two';`).catch(
      (error: unknown) => error,
    );
    expect(explain(failure)).toMatch(/source\.ts:\d+:\d+: Could not resolve "\.\/two"$/);
  });

  it('is ASCII only, with the same meaning of texts and expressions', async () => {
    await bundled(
      "import validator from 'validator';\n" +
        "const letters = /^[é–🙂\\–]+$/u; console.log('Sepatu – 🙂', letters.test('é–🙂'), `€${1}`, validator.isAlpha('Žluťoučký', 'cs-CZ'));",
    );
    expect(readFileSync(join(directory, FILES.code)).findIndex((byte) => byte > 0x7f)).toBe(-1);
    expect(run().stdout).toBe('Sepatu – 🙂 true €1 true\n');
  });

  it('contains a package once that npm installed in several places in the same version', async () => {
    await bundled(`import 'express'; import 'mime-types';`);
    const names = readFileSync(join(directory, FILES.code), 'utf8').match(/"application\/vnd\.zzazz\.deck\+xml"/g);
    const versions = new Set(
      ['node_modules/mime-db', 'node_modules/express/node_modules/mime-db'].map(
        (path) =>
          (JSON.parse(readFileSync(join(workspaceRoot, path, 'package.json'), 'utf8')) as { version: string }).version,
      ),
    );
    expect(names).toHaveLength(versions.size);
  });

  it('reports a missing driver of another database only when it is loaded', async () => {
    await bundled(`import { DataSource } from 'typeorm';
      new DataSource({ type: 'postgres', url: 'postgres://127.0.0.1:1/none' });
      try { new DataSource({ type: 'mysql' }); } catch (error) { console.log((error as Error).message); }`);
    expect(run()).toMatchObject({
      stdout: 'MysqlDriver of TypeORM is not in this bundle: the platform uses PostgreSQL.\n',
    });
  });
});

describe("Redis's client in a bundle", () => {
  it('has the commands that sources call, in each of their spellings, and no others', async () => {
    await bundled(`import { createClient, ErrorReply } from 'redis';
      const client = createClient() as unknown as Record<string, unknown>;
      const names = ['get', 'set', 'del', 'eval', 'evalSha', 'publish', 'ping', 'xAdd', 'xRead', 'xRange', 'geoAdd', 'sInterStore'];
      console.log(names.filter((name) => typeof client[name] === 'function').join(' '), typeof ErrorReply);`);
    expect(run().stdout).toBe('get set del eval evalSha publish ping xAdd xRead xRange function\n');
  });

  it('fails the build when the package lists its commands in another form', () => {
    expect(() => withoutUnused('exports.default = {};', new Set())).toThrow(/in another form/);
  });
});

describe('a stack trace of a bundle', () => {
  it('names the TypeScript file and line, and the function, of an error that is caught', async () => {
    await bundled(`interface Shop { name: string }\n\nfunction open(shop?: Shop): string {\n  return shop!.name;\n}\n
try {\n  open();\n} catch (error) {\n  console.log((error as Error).stack);\n}\n`);
    const source = `${directory.slice(workspaceRoot.length + 1)}/source.ts`;
    const [head, first, second] = run().stdout.split('\n');
    expect([head, first, second]).toEqual([
      "TypeError: Cannot read properties of undefined (reading 'name')",
      `    at open (${source}:4)`,
      `    at ${source}:8`,
    ]);
  });

  it('names them for an error that ends the process, without a page of code', async () => {
    await bundled(`import 'express';\n\nthrow new RangeError('too far');\n`);
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toContain('source.ts:3');
    expect(stderr.length).toBeLessThan(3_000);
  });

  it('has the positions of the bundle when the index of lines is missing', async () => {
    await bundled(`console.log(new Error('lost').stack);`);
    rmSync(join(directory, FILES.lines));
    const { stdout, status } = run();
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Error: lost\n +at .*app\.cjs:\d+:\d+/),
    });
  });
});

describe('the code cache of a bundle', () => {
  const source = `function greet(): string { return 'selamat'; }\nconsole.log(greet());`;

  it('is used without output', async () => {
    await bundled(source);
    record();
    expect(run()).toEqual({ status: 0, stdout: 'selamat\n', stderr: '' });
  });

  it('is used whatever sizes an operator gives the heap', async () => {
    await bundled(source);
    record();
    const sizes = ['--max-old-space-size=100', '--max-semi-space-size=2'];
    expect(node(...sizes, join(directory, 'main.cjs'))).toEqual({ status: 0, stdout: 'selamat\n', stderr: '' });
  });

  it('does not keep the gateway from its client library, which is an ES module', async () => {
    const nativeImport = join(workspaceRoot, 'apps/wa-gateway/src/engines/baileys/native-import');
    await bundled(`import { nativeImport } from '${nativeImport}';
      const told = (text: string) => console.log(text);
      // The cache is recorded before anything is imported
      if (process.argv[1].endsWith('main.cjs')) nativeImport('node:os').then((os: any) => told(typeof os.cpus), (cause) => told(cause.message));`);
    record();
    expect(run()).toMatchObject({ status: 0, stdout: 'function\n' });
  });

  it('that is damaged does not fail the start, which reports it once', async () => {
    await bundled(source);
    record();
    const cache = readFileSync(join(directory, FILES.cache));
    cache.fill(0xff, cache.length >> 1);
    writeFileSync(join(directory, FILES.cache), cache);
    const { status, stdout, stderr } = run();
    expect([status, stdout, JSON.parse(stderr)]).toEqual([0, 'selamat\n', warning('it is damaged')]);
  });

  it('of other code, even of the same length, is not used', async () => {
    await bundled(source);
    record();
    const path = join(directory, FILES.code);
    writeFileSync(path, readFileSync(path, 'latin1').replace('"selamat"', '"terbaik"'));
    const { stdout, stderr } = run();
    expect([stdout, JSON.parse(stderr)]).toEqual(['terbaik\n', warning('it was made for other code')]);
  });

  it('made under other flags of V8 is not used', async () => {
    await bundled(source);
    record();
    const { stdout, stderr } = node('--max-lazy', join(directory, 'main.cjs'));
    expect([stdout, JSON.parse(stderr)]).toEqual(['selamat\n', warning(expect.stringContaining('for other flags'))]);
  });

  it('holds what ran once, long ago and many collections before the process ended', async () => {
    const sizes = [];
    for (const rounds of [0, 400]) {
      await bundled(`import 'express';
        let kept: unknown[] = [];
        const work = (left: number): void => {
          kept = left % 20 ? [...kept, Array(100_000).fill({})] : [];
          if (left > 0) setImmediate(work, left - 1);
        };
        work(${rounds});`);
      record();
      sizes.push(statSync(join(directory, FILES.cache)).size);
    }
    const [soon = 0, late = 0] = sizes;
    expect(late / soon).toBeGreaterThan(0.98);
  });

  it('that is missing does not fail the start', async () => {
    await bundled(source);
    const { status, stdout, stderr } = run();
    expect([status, stdout, JSON.parse(stderr)]).toEqual([0, 'selamat\n', warning(expect.stringContaining('ENOENT'))]);
  });
});

describe('code in ASCII (inAscii)', () => {
  it.each([
    ['"é"', String.raw`"\u00e9"`],
    [String.raw`/[\–]/`, String.raw`/[\u2013]/`],
    [String.raw`"\\é"`, String.raw`"\\\u00e9"`],
    ['"🙂"', String.raw`"\ud83d\ude42"`],
    ['plain', 'plain'],
  ])('of %s is %s', (text, escaped) => {
    expect(inAscii(text)).toBe(escaped);
  });
});
