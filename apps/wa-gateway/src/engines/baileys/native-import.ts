import { compileFunction, constants } from 'node:vm';

type Import = (specifier: string) => Promise<unknown>;

/** Compiled here and now: what Node 20 has compiled from a code cache, as bundles are, cannot import. */
const compiled = (): Import =>
  compileFunction('return import(specifier)', ['specifier'], {
    filename: __filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as Import;

/** Node's own import. jest cannot import ES modules; its environment lends this one. */
export const nativeImport: Import = (specifier) =>
  ((globalThis as { nativeImport?: Import }).nativeImport ?? compiled())(specifier);
