import type { UserRole } from '@platform/contracts';
import { knownAbilities, type Ability, type Need } from './abilities';

const OF_THE_OWNER: readonly Ability[] = ['wallet.withdraw', 'billing.write', 'token.write', 'kyc.write'];

/** What the roles that every store has may do. They are code, not rows: a new ability reaches all stores with the release. */
export const systemRoles = {
  owner: knownAbilities,
  admin: knownAbilities.filter((ability) => !OF_THE_OWNER.includes(ability)),
  cs: [
    'product.read',
    'order.read',
    'order.write',
    'contact.read',
    'contact.write',
    'ticket.write',
    'chat.reply',
    'template.write',
    'checkout.write',
    'wa.send',
    'upload.write',
  ],
  // Those who pack and those who count money do it for everybody's customers
  warehouse: [
    'product.read',
    'stock.write',
    'order.read',
    'shipping.write',
    'warehouse.write',
    'chat.all',
    'upload.write',
  ],
  finance: [
    'order.read',
    'order.refund',
    'order.export',
    'payment.read',
    'payment.record',
    'wallet.read',
    'wallet.topup',
    'wallet.withdraw',
    'billing.write',
    'report.read',
    'chat.all',
  ],
  advertiser: [
    'product.read',
    'coupon.write',
    'checkout.write',
    'marketing.write',
    'pixel.write',
    'report.read',
    'broadcast.send',
    'upload.write',
  ],
} as const satisfies Record<string, readonly Ability[]>;

export type SystemRole = keyof typeof systemRoles;
export const systemRoleNames = Object.keys(systemRoles) as SystemRole[];

/** "Abilities of services are a constant in code" (design section 6). Other clients may do nothing here. */
export const serviceAbilities: Readonly<Record<string, readonly Need[]>> = {
  'svc:bot-engine': ['member', 'product.read'],
  'svc:store-auth': ['member', 'product.read'],
  'svc:chat-backend': ['contact.write', 'chat.tell'],
  'svc:ads-client': ['wallet.charge'],
};

/**
 * What store-auth and chat-backend call this member: they know four roles, we know abilities (design 5.6). Of the roles that every store has none
 * but the owner and admins supervise chats: those who pack see all orders, and answer nobody.
 */
export const pushedRole = (role: SystemRole | null, allowed: readonly string[]): UserRole => {
  if (role === 'owner' || role === 'admin') return role;
  return role === null && allowed.includes('chat.all') ? 'supervisor' : 'agent';
};
