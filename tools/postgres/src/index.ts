export * from './cluster';
export * from './pgbouncer';
