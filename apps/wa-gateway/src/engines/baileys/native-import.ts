type Import = (specifier: string) => Promise<unknown>;

/** Node's own import. jest cannot import ES modules; its environment lends this one. */
export const nativeImport: Import =
  (globalThis as { nativeImport?: Import }).nativeImport ?? ((specifier) => import(specifier));
