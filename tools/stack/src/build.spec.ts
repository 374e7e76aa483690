import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { buildApp } from './build';
import { declared, packageName, prunedLock, type Lock } from './build-lock';

describe('building an app (buildApp)', () => {
  it('lists the apps when the name is unknown', async () => {
    await expect(buildApp('chat')).rejects.toThrow(
      /There is no apps\/chat\/src\/main\.ts\. Apps that can be built: .*chat-backend/,
    );
  });

  it('makes an image of the Graph sandbox possible: a bundle that needs no package and answers', async () => {
    const directory = await buildApp('sandbox-graph', [], () => undefined);
    const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ name: 'sandbox-graph', dependencies: {} });
    const child = spawn(process.execPath, [join(directory, 'main.cjs'), 'serve'], {
      env: { PATH: environment.PATH, PORT: '0', IN_CONTAINER: 'true' },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    while (!output.includes('This is not Meta')) await once(child.stdout, 'data');
    const port = /:(\d+)$/m.exec(output)?.[1];
    const { status } = await fetch(`http://127.0.0.1:${port}/__sandbox/ads/accounts`);
    child.kill('SIGTERM');
    expect([status, await once(child, 'exit')]).toEqual([200, [0, null]]);
  });
});

describe('the pruned lock file (prunedLock)', () => {
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

  it('has the package at the version the app was tested with, and all its dependencies', () => {
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

  it('says what to do about a package that is not in the lock file', () => {
    expect(() => prunedLock(lock, 'shop', ['paint'])).toThrow(
      'paint is not in package-lock.json: add it to apps/shop/package.json and run npm install.',
    );
  });

  it('separates required from optional packages', () => {
    expect(declared(lock, 'shop')).toEqual({ needed: new Set(['hash', 'web']), optional: new Set(['engine']) });
  });
});

it.each(['linux-x64', 'linux-arm64', 'linuxmusl-x64'])(
  'next to the bundle of commerce-api the library of pictures is installed with what is native to %s',
  (system) => {
    const workspace = JSON.parse(readFileSync(join(__dirname, '../../../package-lock.json'), 'utf8')) as Lock;
    const { packages } = prunedLock(workspace, 'commerce-api', ['sharp']).lock;
    const native = [`node_modules/@img/sharp-${system}`, `node_modules/@img/sharp-libvips-${system}`];
    expect(native.map((place) => packages[place])).toEqual(
      native.map(() => expect.objectContaining({ optional: true })),
    );
    expect(native.filter((place) => packages[place] && 'peer' in packages[place])).toEqual([]);
  },
);

describe('the package of an import (packageName)', () => {
  it.each([
    ['pg', 'pg'],
    ['pg/lib/native', 'pg'],
    ['@node-rs/argon2', '@node-rs/argon2'],
    ['@aws-sdk/client-s3/dist', '@aws-sdk/client-s3'],
  ])('of %s is %s', (path, name) => {
    expect(packageName(path)).toBe(name);
  });
});
