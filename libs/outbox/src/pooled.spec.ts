import { environment } from '@platform/runtime';
import { behindPgBouncer } from '@platform/testing';

/** Specs that need no database. */
const except = ['verdict', 'call-limit', 'flight', 'dispatcher', 'lane.store', 'upkeep'];

behindPgBouncer({ binary: environment.PGBOUNCER, folder: __dirname, except });
