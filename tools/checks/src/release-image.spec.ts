import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './source-files';

const BASE = 'node:24-bookworm-slim';
const DIGEST = `${BASE}@sha256:${'0a'.repeat(32)}`;
const COMMIT = '1f'.repeat(20);
const dockerfile = readFileSync(join(workspaceRoot, 'docker/Dockerfile'), 'utf8');

const ignored = readFileSync(join(workspaceRoot, '.dockerignore'), 'utf8');

const ask = (...args: string[]) => {
  const { status, stderr } = spawnSync('sh', [join(workspaceRoot, 'docker/release.sh'), ...args], { encoding: 'utf8' });
  return { status, says: stderr.trim() };
};

describe('an image', () => {
  it('without a version may have any base, because it is not a release', () =>
    expect(ask(BASE, '0.0.0', 'unknown')).toEqual({ status: 0, says: '' }));

  it('with a version is accepted on a base named by its digest and with a full commit id', () =>
    expect(ask(DIGEST, '1.2.0', COMMIT)).toEqual({ status: 0, says: '' }));

  it.each([BASE, `${BASE}@sha256:abc`, `${BASE}@sha256:${'x'.repeat(64)}`, 'localhost/node-base'])(
    'with a version is refused on the base %s',
    (base) =>
      expect(ask(base, '1.2.0', COMMIT)).toEqual({
        status: 1,
        says: 'VERSION=1.2.0 is a release: name the base by its content, --build-arg BASE_IMAGE=node:24-bookworm-slim@sha256:<64 hex digits>',
      }),
  );

  it.each([
    ['unknown', 'say of which commit, --build-arg REVISION=$(git rev-parse HEAD)'],
    ['main', 'say of which commit, --build-arg REVISION=$(git rev-parse HEAD)'],
    ['1f1f1f', 'REVISION is a whole commit id of 40 hex digits'],
  ])('with a version is refused for the revision %s', (revision, text) =>
    expect(ask(DIGEST, '1.2.0', revision)).toEqual({ status: 1, says: `VERSION=1.2.0 is a release: ${text}` }),
  );

  it('is checked before anything is built, with the arguments that label its last stage', () => {
    const [, build = '', last = ''] = dockerfile.split(/^FROM .*$/m).slice(1);
    expect(build).toMatch(/^ARG BASE_IMAGE\nARG VERSION=0\.0\.0\nARG REVISION=unknown\n/m);
    expect(build.indexOf('sh docker/release.sh "${BASE_IMAGE}" "${VERSION}" "${REVISION}"')).toBeGreaterThan(0);
    expect(build.indexOf('release.sh')).toBeLessThan(build.indexOf('npm ci'));
    expect(ignored).toContain('\n!docker/release.sh\n');
    expect(last).toMatch(/ARG VERSION=0\.0\.0\nARG REVISION=unknown\n/);
  });
});
