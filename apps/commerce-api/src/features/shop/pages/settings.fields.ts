import type { SettingGroup } from '../settings/public';

/** How a setting is asked for. */
type Kind = 'number' | 'percent' | 'flag' | 'text' | 'long' | 'taxMode' | 'locale';
export type SettingField = readonly [name: string, kind: Kind];

/** What people can set of each group, in the order of its form; a member of a group that is not here fails a test. */
export const settingFields = {
  general: [['locale', 'locale']],
  storefront: [
    ['show_stock', 'flag'],
    ['announcement', 'text'],
    ['shipping_policy', 'long'],
    ['refund_policy', 'long'],
  ],
  checkout: [
    ['require_email', 'flag'],
    ['abandoned_minutes', 'number'],
  ],
  order: [
    ['cancel_unpaid_hours', 'number'],
    ['auto_complete_days', 'number'],
  ],
  stock: [
    ['low_threshold', 'number'],
    ['grace_minutes', 'number'],
  ],
  payment: [
    ['expires_minutes', 'number'],
    ['settle_days', 'number'],
  ],
  shipping: [['default_weight_g', 'number']],
  invoice: [
    ['tax[mode]', 'taxMode'],
    ['tax[rate_bp]', 'percent'],
    ['tax[base_num]', 'number'],
    ['tax[base_den]', 'number'],
    ['tax[shipping]', 'flag'],
    ['tax[npwp]', 'text'],
  ],
  chat: [
    ['sla_minutes', 'number'],
    ['csat_text', 'long'],
  ],
  notification: [['daily_digest', 'flag']],
  privacy: [['keep_identity_documents_days', 'number']],
} as const satisfies Readonly<Record<SettingGroup, readonly SettingField[]>>;

export type SettingName = (typeof settingFields)[SettingGroup][number][0];
