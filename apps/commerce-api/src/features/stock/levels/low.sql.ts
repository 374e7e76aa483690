import { stockDefaults } from '../../shop/settings/public';

/** At or below it a tracked variant of the store $1 is running out; read once a statement. */
export const LOW_STOCK = `coalesce((SELECT (g.value ->> 'low_threshold')::int FROM setting g
  WHERE g.store_id = $1 AND g.name = 'stock'), ${stockDefaults.low_threshold})`;
