import { onlyPage, succeeds } from '../../../examples';
import { orderRow } from '../../sales/orders/public';
import { budi } from '../people/public';

export const contactOrdersExamples = succeeds('one order', [{ ...orderRow, contact_id: budi.id }], {
  meta: onlyPage(1),
});
