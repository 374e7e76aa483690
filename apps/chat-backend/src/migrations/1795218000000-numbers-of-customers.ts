import { ForwardMigration } from '@platform/data';

/**
 * Whose a number is was answered from the index by id, which carries numbers and names: where all pages are known to be visible, reading a store of
 * common size there, without its rows, looked cheaper than one row by its whole key. Of a large store all customers were read for each number.
 * The index by number carries the same, so that nothing is gained elsewhere; ids never change, and a name is written to the other index anyway.
 */
export class NumbersOfCustomers1795218000000 extends ForwardMigration {
  // Builds from before find a number, and that it is there already, by the new index as well
  override readonly contract = { suits: 'Inbox1795132800000' };
  readonly transaction = false;
  readonly steps = [
    'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS customers_nohp ON customers (store_id, nohp) INCLUDE (id, nama)',
    'ALTER TABLE customers DROP CONSTRAINT IF EXISTS customers_store_id_nohp_key',
  ];
}
