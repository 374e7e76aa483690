import { environment } from '@platform/runtime';
import { behindPgBouncer } from '@platform/testing';

behindPgBouncer({ binary: environment.PGBOUNCER, folder: __dirname, except: [] });
