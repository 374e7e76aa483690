import type { Texts } from '../i18n/texts';
import { abilitiesOf, type PageAbility } from '../session.guard';
import type { Viewer } from '../viewer';
import type { IconName } from './icon';

type Name = keyof Texts['nav']['places'];

/** A page that the menu leads to. */
export interface Place {
  readonly href: string;
  readonly name: Name;
  readonly icon: IconName;
  readonly need: PageAbility;
}

const place = (name: Name, href: string, icon: IconName, need: PageAbility): Place => ({ name, href, icon, need });

const HOME = place('home', '/dashboard', 'home', 'member');

type Group = readonly [title: keyof Texts['nav']['groups'], places: readonly Place[]];

/** The whole menu, by what people do there (commerce-web.md 5). A page that is not there yet is not shown. */
const GROUPS: readonly Group[] = [
  [
    'selling',
    [
      place('orders', '/orders', 'receipt', 'order.read'),
      place('products', '/products', 'package', 'product.read'),
      place('contacts', '/contacts', 'users', 'contact.read+chat.all'),
      place('coupons', '/coupons', 'discount', 'coupon.write'),
      place('carts', '/abandoned-carts', 'shopping-cart', 'checkout.write'),
      place('checkoutLinks', '/checkout-links', 'link', 'checkout.write'),
    ],
  ],
  [
    'talking',
    [
      place('chats', '/chats', 'message-circle', 'chat.reply'),
      place('tickets', '/tickets', 'lifebuoy', 'ticket.write'),
      place('rooms', '/team-chat', 'messages', 'member'),
      place('agents', '/agents', 'robot', 'agent.write'),
      place('rules', '/chatbot', 'bolt', 'agent.write'),
      place('broadcasts', '/broadcasts', 'speakerphone', 'broadcast.send'),
      place('templates', '/templates', 'template', 'template.write'),
      place('devices', '/devices', 'device-mobile', 'device.write'),
    ],
  ],
  [
    'operations',
    [
      place('shipments', '/shipments', 'truck', 'order.read'),
      place('shipping', '/shipping', 'map-pin', 'order.read'),
      place('warehouses', '/warehouses', 'building-warehouse', 'warehouse.write'),
      place('transfers', '/transfers', 'arrows-exchange', 'stock.write'),
      place('digital', '/digital-products', 'file-download', 'product.read'),
      place('categories', '/categories', 'category', 'product.read'),
      place('media', '/media', 'photo', 'upload.write'),
      place('wallet', '/wallet', 'wallet', 'wallet.read'),
      place('reports', '/reports', 'chart-bar', 'report.read'),
    ],
  ],
  [
    'marketing',
    [
      place('biolinks', '/biolinks', 'world', 'marketing.write'),
      place('trackers', '/trackers', 'share', 'marketing.write'),
      place('pixels', '/pixels', 'eye', 'pixel.write'),
      place('analytics', '/analytics', 'chart-line', 'report.read'),
    ],
  ],
  [
    'shop',
    [
      place('domains', '/domains', 'world-www', 'domain.write'),
      place('payments', '/settings/payments', 'credit-card', 'payment.settings'),
      place('settings', '/settings/shop', 'settings', 'settings.read'),
      place('team', '/team', 'user-plus', 'team.manage'),
      place('chatTeams', '/chat-teams', 'users-group', 'team.manage'),
      place('billing', '/billing', 'file-text', 'member'),
      place('verification', '/verification', 'shield-check', 'kyc.write'),
      place('apiTokens', '/settings/api-tokens', 'key', 'token.write'),
      place('webhooks', '/settings/webhooks', 'webhook', 'settings.read'),
      place('logs', '/logs', 'history', 'logs.read'),
    ],
  ],
];

/** On a phone, within reach of the thumb. */
const TABS: readonly Name[] = ['chats', 'orders', 'products'];

export interface Menu {
  readonly home: Place;
  readonly groups: readonly Group[];
  readonly tabs: readonly Place[];
}

/** What this member may open of the pages that are there. */
export const menuOf = ({ caller }: Viewer, opens: (path: string) => boolean): Menu => {
  const open = ({ href, need }: Place) => opens(href) && abilitiesOf(need).every((each) => caller.abilities.has(each));
  const groups = GROUPS.map(([title, places]): Group => [title, places.filter(open)]).filter(
    ([, places]) => places.length > 0,
  );
  const tabs = groups.flatMap(([, places]) => places).filter(({ name }) => TABS.includes(name));
  return { home: HOME, groups, tabs: [HOME, ...tabs] };
};

/** Every address of the menu. */
export const menuPaths = (): string[] => [HOME.href, ...GROUPS.flatMap(([, places]) => places.map(({ href }) => href))];
