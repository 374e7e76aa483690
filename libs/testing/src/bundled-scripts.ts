/**
 * Scripts that specs start and kill again and again, from the root of the workspace: where the suites of all projects run they start
 * from one bundle (tools/jest/programs.ts), because of its sources each would load a thousand files. Those that measure their own
 * memory are not among them.
 */
export const BUNDLED_SCRIPTS: readonly string[] = [
  'apps/commerce-api/src/features/catalogue/imports/import.child.ts',
  'apps/commerce-api/src/features/contacts/imports/import.child.ts',
  'apps/commerce-api/src/features/sales/orders/order-expiry.child.ts',
  'apps/commerce-api/src/features/stock/levels/shoppers.child.ts',
  'libs/jobs/src/work.child.ts',
  'libs/outbox/src/dispatch.child.ts',
  'tools/chaos/src/charge.child.ts',
];
