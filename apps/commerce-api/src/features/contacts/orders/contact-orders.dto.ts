import { sortsOf } from '@platform/data';
import { Choice } from '@platform/validation';
import { PageQuery } from '../../../paging';

const sorts = sortsOf(['created_at', 'total']);

export class ContactOrdersQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
}
