import { transform, type Options } from '@swc/core';
import type { OnResolveArgs, Plugin } from 'esbuild';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { packageName, placeOf, type Lock } from '../build-lock';

const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * JavaScript in ASCII alone, as escapes that mean the same in strings, templates, expressions and names. Only the raw text of
 * a tagged template would differ. esbuild does as much, but leaves regular expressions alone.
 */
export const inAscii = (code: string): string =>
  code.replace(/(\\*)([\u0080-\uffff])/g, (_, slashes: string, character: string) => {
    const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return slashes.slice(slashes.length % 2) + escape; // a backslash before such a letter has no meaning
  });

/** The same for packages; comments and blanks, which escapes would break, are removed first. */
export const asciiPackages = (): Plugin => ({
  name: 'ascii-packages',
  setup: ({ onLoad, esbuild }) =>
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!BEYOND_ASCII.test(text)) return undefined;
      const options = { charset: 'ascii', sourcemap: 'inline', sourcesContent: false, sourcefile: path } as const;
      const { code } = await esbuild.transform(text, { ...options, legalComments: 'none', logLevel: 'silent' });
      return { contents: inAscii(code), loader: 'js' };
    }),
});

/** The workspace's one swc configuration, so that a bundle behaves as the tests did; esbuild alone would lose decorator metadata. */
export const swc = (root: string): Plugin => ({
  name: 'swc',
  setup: ({ onLoad }) => {
    const config = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8')) as Options;
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { ...config, swcrc: false, filename: path });
      return { contents: inAscii(code), loader: 'js' };
    });
  },
});

/**
 * A package may try to load another one that nobody installed (database drivers, native accelerators); such a request stays
 * in the bundle and fails at run time as it does without a bundle. Our own code gets no such exception.
 */
export const optionalRequests = (missing: Set<string>): Plugin => ({
  name: 'optional-requests',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (!importer.includes('node_modules') || kind === 'entry-point' || path.startsWith('node:')) return undefined;
      try {
        createRequire(importer).resolve(path);
        return undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') return undefined;
        missing.add(packageName(path));
        return { path, external: true };
      }
    });
  },
});

/** Every place of a package that stands in the lock several times in the same version, with the first of those places. */
const copiesIn = (lock: Lock): ReadonlyMap<string, string> => {
  const places = new Map<string, string[]>();
  for (const [place, { version, link }] of Object.entries(lock.packages)) {
    if (!version || link || !place.includes(MODULES)) continue;
    const identity = `${nameAt(place)}@${version}`;
    places.set(identity, [...(places.get(identity) ?? []), place]);
  }
  const several = [...places.values()].filter(({ length }) => length > 1);
  return new Map(several.flatMap((each) => each.map((place) => [place, each[0] ?? place])));
};

const MODULES = 'node_modules/';
const nameAt = (place: string): string => place.slice(place.lastIndexOf(MODULES) + MODULES.length);

/**
 * npm installs a package at several places; the same file of the same version goes into a bundle once. Only those packages are
 * looked at: esbuild's `resolve` keeps nothing between two calls, and one for every import takes longer than all the rest.
 */
export const oneCopy = (root: string): Plugin => ({
  name: 'one-copy',
  setup: ({ onResolve, resolve }) => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
    const copies = copiesIn(lock);
    const names = new Set([...copies.keys()].map(nameAt));
    const asked = Symbol('asked');
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }: OnResolveArgs) => {
      const name = packageName(path);
      if (kind === 'entry-point' || pluginData === asked || !names.has(name)) return undefined;
      const place = placeOf(lock, relative(root, resolveDir), name) ?? '';
      const first = copies.get(place);
      if (first === undefined || first === place) return undefined;
      const folder = join(root, first.slice(0, first.lastIndexOf(MODULES)));
      const found = await resolve(path, { kind, importer, resolveDir: folder, pluginData: asked });
      if (found.errors.length || found.external) return undefined;
      return { path: found.path, namespace: found.namespace, sideEffects: found.sideEffects };
    });
  },
});

/** TypeORM names the drivers of seventeen databases in one file. Those of the others stay out and say so when they are asked for. */
export const postgresOnly = (): Plugin => ({
  name: 'postgres-only',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /Driver$/ }, ({ path, importer }) =>
      importer.endsWith('/typeorm/driver/DriverFactory.js') && !path.startsWith('./postgres/')
        ? { path: basename(path), namespace: 'foreign-driver' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'foreign-driver' }, ({ path }) => ({
      contents: `exports.${path} = class { constructor() { throw new Error('${path} of TypeORM is not in this bundle: the platform uses PostgreSQL.'); } };`,
    }));
  },
});
