import type { Sql } from '@platform/data';
import { Slug } from '@platform/validation';
import { on } from '../../../web/assets/look';
import { buyerFile } from '../../../web/buyer.file';
import type { Pages } from '../../../web/kit';
import { windowOf } from '../../catalogue/storefront/public';
import { widgetFace } from '../../inbox/widget/public';

class ShopQuery {
  @Slug() shop!: string;
}

/** A script that is the same for all, and what it calls `name`: the settings of one shop. */
const around = (name: string, settings: object, script: string): string =>
  `(function(${name}){${script}})(${JSON.stringify(settings)});`;

const chatOf = (phone: string): string => `https://wa.me/${phone.replace(/\D/g, '')}`;

/** Counts visits of the pages of a shop, and asks whoever comes before it remembers anything of them. */
const pixel = (database: Sql): Pages =>
  buyerFile({
    ...{ get: '/pixel.js', query: ShopQuery, type: 'text/javascript', seconds: 3600 },
    load: async ({ query, asset }) => {
      const { slug } = await windowOf(database, query.shop);
      return around('PIXEL', { slug }, asset('pixel.js'));
    },
  });

/** The button on somebody's own website by which their visitors write to the shop. One that is switched off is a script that does nothing. */
const widget = (database: Sql): Pages =>
  buyerFile({
    ...{ get: '/widget.js', query: ShopQuery, type: 'text/javascript', seconds: 300 },
    load: async ({ query, asset }) => {
      const shop = await windowOf(database, query.shop);
      const {
        enabled,
        title,
        greeting,
        color,
        position,
        allowed_hosts: hosts,
        number,
      } = await widgetFace(database, shop.store_id);
      const phone = number ?? shop.phone;
      if (!enabled || phone === null) return '/* off */';
      const face = { title: title || shop.name, greeting, color, ink: on(color.toLowerCase()), position, hosts };
      return around('WIDGET', { id: shop.slug, href: chatOf(phone), ...face }, asset('widget.js'));
    },
  });

/** Scripts that stand on pages, ours and others'. */
export const scriptPages = (database: Sql): Pages => {
  const all = [pixel(database), widget(database)];
  return (kit) => all.flatMap((pages) => pages(kit));
};
