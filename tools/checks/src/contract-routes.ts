import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './source-files';

/** One row of the contract: one registration. A method and path listed twice is mounted twice. */
export interface ContractRoute {
  readonly service: string;
  /** `POST /api/login`. */
  readonly route: string;
  readonly guard: string;
}

const CONTRACT = join(workspaceRoot, 'docs/contract');

/** The first four cells of each row; the rest is free text, which may contain quoted commas. */
const cellsOf = (file: string): string[][] =>
  readFileSync(join(CONTRACT, file), 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(',').slice(0, 4));

const ofCommerce = (service: string): ContractRoute[] =>
  cellsOf(`${service}.routes.csv`).map(([, method, path, guard = '']) => ({
    service,
    route: `${method} ${path}`,
    guard,
  }));

/** The contract leaves store-auth's guards to its design: only routes that mint tokens or read data are guarded. */
const BY_DESIGN = 'see design/store-auth.md';
const BEARER = new Set(['POST /api/create-token', 'POST /api/product/check_stock_products']);
const guardOf = (route: string, guard: string): string => {
  if (guard !== BY_DESIGN) return guard;
  return BEARER.has(route) ? 'bearer' : 'public';
};

/** Every route of the contract, of all services. */
export const contractRoutes = (): ContractRoute[] => [
  ...cellsOf('routes.csv').map(([service = '', method, path, guard = '']) => {
    const route = `${method} ${path}`;
    return { service, route, guard: guardOf(route, guard) };
  }),
  ...ofCommerce('commerce-api'),
  ...ofCommerce('commerce-web'),
];

/** Routes between our own services, of those that list them all. */
export const internalRoutes = (): ContractRoute[] =>
  cellsOf('internal.routes.csv').map(([service = '', method, path, guard = '']) => ({
    service,
    route: `${method} ${path}`,
    guard,
  }));

/** Parses the lines that `npm run -s routes` prints. */
export const mountedRoutes = (lines: readonly string[]): ContractRoute[] =>
  lines.map((line) => {
    const [service = '', method, path, guard = ''] = line.split(',');
    return { service, route: `${method} ${path}`, guard };
  });

/** Removes the first element that fits; returns whether there was one. */
const take = <T>(from: T[], fits: (each: T) => boolean): boolean => {
  const at = from.findIndex(fits);
  if (at >= 0) from.splice(at, 1);
  return at >= 0;
};

/**
 * Where the mounted routes depart from the contract, one line each. A registration accounts for one row; routes beyond the
 * contract are ignored.
 */
export const departures = (contract: readonly ContractRoute[], mounted: readonly ContractRoute[]): string[] => {
  const left = new Map<string, ContractRoute[]>();
  for (const one of mounted) {
    const name = `${one.service} ${one.route}`;
    left.set(name, [...(left.get(name) ?? []), one]);
  }
  return contract.flatMap(({ service, route, guard }) => {
    const name = `${service} ${route}`;
    const here = left.get(name) ?? [];
    if (take(here, (one) => one.guard === guard)) return [];
    const other = here.shift();
    return [other ? `${name} has the guard ${other.guard}, the contract says ${guard}` : `${name} is not mounted`];
  });
};
