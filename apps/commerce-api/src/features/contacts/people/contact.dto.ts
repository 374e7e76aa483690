import { sortsOf } from '@platform/data';
import { Choice, Email, Flag, Int, Json, List, Phone, Text, Texts, clearing } from '@platform/validation';
import { MOMENT } from '../../../moment';
import { Address } from '../../../address.dto';
import { PageQuery } from '../../../paging';
import { TagName } from '../tags/public';

const sorts = sortsOf(['name', 'created_at', 'spent']);

/** Fields that choose contacts. */
export class SegmentQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Text({ optional: true, max: 200, trim: true, description: 'Every word must occur in name, number or email' })
  q?: string;
  @Text({ optional: true, max: 2000, description: 'Any of these, separated by commas' }) tag_ids?: string;
  @Flag({ optional: true }) blocked?: boolean;
  @Text({ optional: true, max: 40, trim: true }) source?: string;
  @Text({ optional: true, max: 100, trim: true, description: 'Of any address' }) city?: string;
  @Int({ optional: true, min: 0, max: 1_000_000 }) min_orders?: number;
  @Text({ optional: true, format: 'instant', description: MOMENT }) last_order_from?: string;
}

class ContactFields {
  @Text({ optional: true, max: 200, trim: true }) name?: string;
  @Email({ optional: true }) email?: string;
  @Text({ optional: true, format: 'date' }) birthday?: string;
  @Text({ optional: true, max: 40, trim: true }) source?: string;
  @Json({ optional: true, description: 'At most 20 members and 8 KB' }) custom?: Record<string, unknown>;
}

export class NewContact extends ContactFields {
  @Text({ optional: true, max: 200, trim: true, description: 'Required of everybody but services' })
  override name?: string;
  @Phone() phone!: string;
  @Texts({ optional: true, max: 20, maxLength: 40, description: 'Names; what does not exist is made' }) tags?: string[];
  @Flag({ optional: true }) opted_out?: boolean;
  @Text({ optional: true, format: 'instant', description: 'Of services: when the customer has said `opted_out`' })
  said_at?: string;
}

/** What is not given stays; null empties it. */
export class ContactChange extends clearing(ContactFields, {
  ...{ name: null, email: null, birthday: null, source: null, custom: {} },
}) {
  @Phone({ optional: true }) phone?: string;
  @Flag({ optional: true }) opted_out?: boolean;
}

/** A contact as a list shows it. */
export class ContactRow {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ nullable: true, description: 'None of somebody who has only written so far' }) name!: string | null;
  @Text({ description: 'The main one, as digits of its international form' }) phone!: string;
  @Text({ nullable: true }) email!: string | null;
  @Text({ nullable: true, format: 'date' }) birthday!: string | null;
  @Text({ nullable: true }) source!: string | null;
  @List(() => TagName) tags!: TagName[];
  @Json() custom!: object;
  @Flag() blocked!: boolean;
  @Flag() opted_out!: boolean;
  @Int() orders_count!: number;
  @Int({ description: 'In the currency of the store' }) spent!: number;
  @Text({ nullable: true, format: 'instant' }) last_order_at!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}

export class ContactAddress extends Address {
  @Text({ format: 'uuid' }) id!: string;
}

export class ContactNote {
  @Text({ format: 'uuid' }) id!: string;
  @Text() text!: string;
  @Text({ description: 'Who wrote it' }) author!: string;
  @Text({ format: 'instant' }) created_at!: string;
}

export class Contact extends ContactRow {
  @List(() => ContactAddress) addresses!: ContactAddress[];
  @List(() => ContactNote, { description: 'The newest first, at most 100' }) notes!: ContactNote[];
}
