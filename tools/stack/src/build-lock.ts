/** The parts of npm's lock file (version 3) that are read here. https://docs.npmjs.com/cli/configuring-npm/package-lock-json */
export interface LockEntry {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
}
export interface Lock {
  lockfileVersion: number;
  packages: Record<string, LockEntry>;
}
export interface Manifest {
  name: string;
  version: string;
  private: boolean;
  main: string;
  dependencies: Record<string, string>;
}

/** `@scope/name/sub/path` -> `@scope/name` */
export const packageName = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

/** Where a package is found from a folder; Node's own search: the folder itself, then every folder above it. */
export const placeOf = (lock: Lock, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '') {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (lock.packages[path]) return path;
    if (!folder) return undefined;
  }
};

/** Every lock entry that the packages need, with what they need in turn; packages that exist for other platforms included. */
const closure = (lock: Lock, start: string[]): string[] => {
  const paths = new Set<string>();
  const visit = (path: string): void => {
    if (paths.has(path)) return;
    paths.add(path);
    const { dependencies, optionalDependencies } = lock.packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = placeOf(lock, path, name);
      if (next) visit(next);
    }
  };
  start.forEach(visit);
  return [...paths].sort();
};

export interface PrunedLock {
  manifest: Manifest;
  lock: Lock & { name: string; version: string; requires: true };
}

/**
 * A manifest of exactly the packages named, and a lock for it cut out of the workspace's: `npm ci` next to a bundle installs
 * what the workspace was tested with. Throws when a package is not in the lock.
 */
export const prunedLock = (lock: Lock, app: string, names: string[]): PrunedLock => {
  const places = names.map((name) => {
    const path = placeOf(lock, `apps/${app}`, name);
    if (!path)
      throw new Error(`${name} is not in package-lock.json: add it to apps/${app}/package.json and run npm install.`);
    return { name, path };
  });
  const dependencies = Object.fromEntries(places.map(({ name, path }) => [name, lock.packages[path]?.version ?? '*']));
  const own = `apps/${app}/`;
  const entries = closure(
    lock,
    places.map(({ path }) => path),
  ).map((path) => {
    const entry: LockEntry = { ...lock.packages[path] };
    for (const flag of ['dev', 'devOptional', 'peer']) delete entry[flag];
    return [path.startsWith(own) ? path.slice(own.length) : path, entry] as const;
  });
  const version = lock.packages[`apps/${app}`]?.version ?? '0.0.0';
  return {
    manifest: { name: app, version, private: true, main: 'main.cjs', dependencies },
    lock: {
      name: app,
      version,
      lockfileVersion: lock.lockfileVersion,
      requires: true,
      packages: { '': { name: app, version, dependencies }, ...Object.fromEntries(entries) },
    },
  };
};

/** The dependencies that the manifests of the app and of the libraries declare. */
export const declared = (lock: Lock, app: string): { needed: ReadonlySet<string>; optional: ReadonlySet<string> } => {
  const manifests = Object.entries(lock.packages).filter(
    ([path]) => path === `apps/${app}` || /^libs\/[^/]+$/.test(path),
  );
  const names = (field: 'dependencies' | 'optionalDependencies') =>
    new Set(manifests.flatMap(([, entry]) => Object.keys(entry[field] ?? {})));
  return { needed: names('dependencies'), optional: names('optionalDependencies') };
};
