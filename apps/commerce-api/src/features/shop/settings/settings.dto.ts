import { Anything, Choice, Flag, Int, Nested, Text, type DtoClass, clearing } from '@platform/validation';

const HOURS_OF_A_MONTH = 720;
const taxModes = ['none', 'included', 'added'] as const;

const POLICY = { optional: true, max: 10_000, trim: true, keepEmpty: true } as const;

class General {
  @Choice(['id', 'en'], { optional: true }) locale?: 'id' | 'en';
}
class Storefront {
  @Flag({ optional: true }) show_stock?: boolean;
  @Text({ optional: true, max: 200, trim: true, keepEmpty: true }) announcement?: string;
  @Text({ ...POLICY, description: 'Shown as a page of the shop unless empty' }) shipping_policy?: string;
  @Text({ ...POLICY, description: 'Shown as a page of the shop unless empty' }) refund_policy?: string;
}
class Checkout {
  @Int({ optional: true, min: 5, max: 10_080 }) abandoned_minutes?: number;
  @Flag({ optional: true }) require_email?: boolean;
}
class Order {
  @Int({ optional: true, min: 1, max: HOURS_OF_A_MONTH }) cancel_unpaid_hours?: number;
  @Int({ optional: true, min: 1, max: 60 }) auto_complete_days?: number;
}
class Stock {
  @Int({ optional: true, min: 0, max: 1_000_000 }) low_threshold?: number;
  @Int({ optional: true, min: 0, max: 1440 }) grace_minutes?: number;
}
class Payment {
  @Int({ optional: true, min: 0, max: 30 }) settle_days?: number;
  @Int({ optional: true, min: 5, max: 10_080 }) expires_minutes?: number;
}
class Shipping {
  @Int({ optional: true, min: 1, max: 1_000_000 }) default_weight_g?: number;
}
class Tax {
  @Choice(taxModes, { optional: true }) mode?: (typeof taxModes)[number];
  @Int({ optional: true, min: 0, max: 10_000 }) rate_bp?: number;
  @Int({ optional: true, min: 1, max: 100 }) base_num?: number;
  @Int({ optional: true, min: 1, max: 100 }) base_den?: number;
  @Flag({ optional: true }) shipping?: boolean;
  @Text({ optional: true, max: 32, trim: true, keepEmpty: true }) npwp?: string;
}
const usualTax = { mode: 'none', rate_bp: 1200, base_num: 11, base_den: 12, shipping: false, npwp: '' } as const;
class TaxChange extends clearing(Tax, usualTax) {}
class Invoice {
  @Nested(() => TaxChange, { optional: true }) tax?: TaxChange;
}
class Chat {
  @Text({ optional: true, max: 1000, trim: true, keepEmpty: true }) csat_text?: string;
  @Int({ optional: true, min: 1, max: 10_080 }) sla_minutes?: number;
}
class Notification {
  @Flag({ optional: true }) daily_digest?: boolean;
}
class Privacy {
  @Int({ optional: true, min: 1, max: 365 }) keep_identity_documents_days?: number;
}

/**
 * What a group holds while nobody has changed it, and the rules of a change, in which null brings that back; a member beyond its DTO does
 * not compile.
 */
const group = <T extends object>(fields: DtoClass<T>, defaults: Required<T>) => ({
  dto: clearing(fields, defaults),
  defaults: defaults as object,
});

/** What is running out, and how long a reservation outlives its payment's time. */
export const stockDefaults = { low_threshold: 5, grace_minutes: 10 };

export const settingGroups = {
  general: group(General, { locale: 'id' }),
  storefront: group(Storefront, { show_stock: true, announcement: '', shipping_policy: '', refund_policy: '' }),
  checkout: group(Checkout, { abandoned_minutes: 60, require_email: false }),
  order: group(Order, { cancel_unpaid_hours: 24, auto_complete_days: 3 }),
  stock: group(Stock, stockDefaults),
  payment: group(Payment, { settle_days: 2, expires_minutes: 60 }),
  shipping: group(Shipping, { default_weight_g: 1000 }),
  invoice: group(Invoice, { tax: usualTax }),
  chat: group(Chat, { csat_text: '', sla_minutes: 15 }),
  notification: group(Notification, { daily_digest: true }),
  privacy: group(Privacy, { keep_identity_documents_days: 30 }),
} as const;

export type SettingGroup = keyof typeof settingGroups;
export const settingGroupNames = Object.keys(settingGroups) as SettingGroup[];

/** Documents what every change of a group needs; the rest of the body has the members of that group. */
export class VersionOfGroup {
  @Int({ min: 0, description: 'As it was read; 0 for a group that nobody has changed' }) version!: number;
}

/** A group with its version, or all of them by name. */
export class SettingsAnswer {
  @Text({ optional: true }) message?: string;
  @Anything({ description: 'The members of a group and its `version`; all groups by name where none is asked for' })
  data!: unknown;
}
