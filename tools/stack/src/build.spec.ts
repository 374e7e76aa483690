import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp, bundle, explain } from './build';
import { declared, packageName, prunedLock, type Lock } from './build-lock';

const root = join(__dirname, '../../..');

describe('bundle', () => {
  let directory: string;
  beforeEach(() => {
    mkdirSync(join(root, 'dist'), { recursive: true });
    directory = mkdtempSync(join(root, 'dist/bundle-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const bundled = (source: string) => {
    writeFileSync(join(directory, 'main.ts'), source);
    return bundle(join(directory, 'main.ts'), join(directory, 'main.cjs'));
  };
  const output = (): string =>
    execFileSync(process.execPath, [join(directory, 'main.cjs')], { cwd: tmpdir(), encoding: 'utf8' });

  it('keeps the types that decorators read and the names of classes', async () => {
    await bundled(`import 'reflect-metadata';
      const seen: PropertyDecorator = (target, key) => console.log(target.constructor.name, Reflect.getMetadata('design:type', target, key).name);
      export class Message { @seen at!: Date; @seen seq!: number; }`);
    expect(output()).toBe('Message Date\nMessage Number\n');
  });

  it('leaves packages with native code outside and what nobody installed alone', async () => {
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

  it('says in which file and line our own sources name something that is not there', async () => {
    const failure: unknown = await bundled(`export const one = 1;\nexport { two } from './two';`).catch(
      (error: unknown) => error,
    );
    expect(explain(failure)).toMatch(/main\.ts:\d+:\d+: Could not resolve "\.\/two"$/);
  });
});

describe('buildApp', () => {
  it('lists the apps when there is none of that name', async () => {
    await expect(buildApp('chat')).rejects.toThrow(
      /There is no apps\/chat\/src\/main\.ts\. Apps that can be built: .*chat-backend/,
    );
  });
});

describe('prunedLock', () => {
  const lock: Lock = {
    lockfileVersion: 3,
    packages: {
      'apps/shop': { version: '0.1.0', dependencies: { hash: '2.0.0' }, optionalDependencies: { engine: '7.0.0' } },
      'libs/http': { dependencies: { web: '1.0.0' } },
      'apps/shop/node_modules/hash': {
        version: '2.0.0',
        dependencies: { salt: '^1.0.0' },
        optionalDependencies: { 'hash-linux': '2.0.0' },
      },
      'node_modules/hash': { version: '1.0.0' },
      'node_modules/hash-linux': { version: '2.0.0', optional: true, os: ['linux'] },
      'node_modules/salt': { version: '1.4.0', dev: true },
      'node_modules/engine': { version: '7.0.0' },
    },
  };

  it('holds the package at the version the app was tested with, and all that it needs', () => {
    expect(prunedLock(lock, 'shop', ['hash'])).toEqual({
      manifest: { name: 'shop', version: '0.1.0', private: true, main: 'main.cjs', dependencies: { hash: '2.0.0' } },
      lock: {
        name: 'shop',
        version: '0.1.0',
        lockfileVersion: 3,
        requires: true,
        packages: {
          '': { name: 'shop', version: '0.1.0', dependencies: { hash: '2.0.0' } },
          'node_modules/hash': {
            version: '2.0.0',
            dependencies: { salt: '^1.0.0' },
            optionalDependencies: { 'hash-linux': '2.0.0' },
          },
          'node_modules/hash-linux': { version: '2.0.0', optional: true, os: ['linux'] },
          'node_modules/salt': { version: '1.4.0' },
        },
      },
    });
  });

  it('says what to do about a package that the lock does not know', () => {
    expect(() => prunedLock(lock, 'shop', ['paint'])).toThrow(
      'paint is not in package-lock.json: add it to apps/shop/package.json and run npm install.',
    );
  });

  it('tells needed from optional packages', () => {
    expect(declared(lock, 'shop')).toEqual({ needed: new Set(['hash', 'web']), optional: new Set(['engine']) });
  });
});

describe('packageName', () => {
  it.each([
    ['pg', 'pg'],
    ['pg/lib/native', 'pg'],
    ['@node-rs/argon2', '@node-rs/argon2'],
    ['@aws-sdk/client-s3/dist', '@aws-sdk/client-s3'],
  ])('of %s is %s', (path, name) => {
    expect(packageName(path)).toBe(name);
  });
});
