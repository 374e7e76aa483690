import { joined, type Area } from './area';
import type { Config } from './config';
import { composeCatalogue } from './features/catalogue/catalogue.composition';
import { composeChat } from './features/chat/chat.composition';
import { composeCheckout } from './features/checkout/checkout.composition';
import { composeContacts } from './features/contacts/contacts.composition';
import { composeDemo } from './features/demo/demo.composition';
import { customerCopies } from './features/contacts/copies/public';
import { Pushes } from './features/identity/access/public';
import { composeGateways, type GatewayNeeds } from './features/gateways/gateways.composition';
import { composeIdentity } from './features/identity/identity.composition';
import { composeMedia } from './features/media/media.composition';
import { composePapers } from './features/papers/papers.composition';
import { composePaying } from './features/paying/paying.composition';
import { orderCopies } from './features/sales/orders/public';
import { composeSales } from './features/sales/sales.composition';
import { OwnChats } from './features/sales/sight/public';
import { composeShipping } from './features/shipping/shipping.composition';
import { storeCopies } from './features/shop/store/public';
import { composeShop } from './features/shop/shop.composition';
import { composeStock } from './features/stock/stock.composition';
import { memberCopies } from './features/team/members/public';
import { composeTeam } from './features/team/team.composition';
import { composeVerification } from './features/verification/verification.composition';
import { composeImports } from './imports/imports.composition';
import { knowingRows } from './known-rows';

/** All areas of the shop together. */
export const composeAreas = (
  config: Config,
  parts: Omit<Parameters<typeof composeIdentity>[1], 'pushes' | 'media'> & { readonly gateways: GatewayNeeds },
): Required<Area> => {
  const media = composeMedia(config, parts);
  const kinds = { stores: storeCopies, users: memberCopies, customers: customerCopies, orders: orderCopies };
  const chat = composeChat({ ...parts, chat: parts.siblings.chat, kinds });
  const { database, queue, siblings } = parts;
  const pushes = new Pushes(database, queue, siblings.memberships, chat.copies);
  const contacts = composeContacts(parts, { copies: chat.copies });
  const shipping = composeShipping(parts);
  const gateways = composeGateways(config, parts, parts.gateways);
  const verification = composeVerification(config, { ...parts, media: media.library });
  const all = joined([
    gateways.area,
    media,
    chat,
    contacts,
    composeCatalogue(config, { ...parts, media: media.library }),
    composeStock(parts),
    composeImports(parts, { contacts: contacts.imports }),
    composeSales(config, parts, { buyers: contacts.buyers, copies: chat.copies, ...gateways }),
    composePaying(config, { ...parts, media, gateways: gateways.accounts }),
    composePapers(parts),
    shipping,
    composeCheckout(config, {
      ...{ ...parts, messages: parts.siblings.messages, rates: shipping.rates },
      ...{ buyers: contacts.strangers, tills: gateways.tills },
    }),
    composeIdentity(config, { ...parts, pushes, media: media.library }),
    composeShop(config, { ...parts, pushes, copies: chat.copies }),
    composeTeam(config, { ...parts, pushes }),
    verification,
    composeDemo({ ...parts, media, copies: chat.copies }),
  ]);
  return { ...all, endpoints: new OwnChats(database, siblings.handled).guarding(knowingRows(database, all.endpoints)) };
};
