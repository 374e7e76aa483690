import { environment } from '@platform/runtime';
import { behindPgBouncer } from '@platform/testing';

/** Specs that need no database. */
const except = ['graphile.logger', 'heartbeat', 'job.queue', 'job.share'];

behindPgBouncer({ binary: environment.PGBOUNCER, folder: __dirname, except });
