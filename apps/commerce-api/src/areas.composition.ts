import { joined, type Area } from './area';
import type { Config } from './config';
import { composeCatalogue } from './features/catalogue/catalogue.composition';
import { composeChat } from './features/chat/chat.composition';
import { composeCheckout } from './features/checkout/checkout.composition';
import { composeContacts } from './features/contacts/contacts.composition';
import { customerCopies } from './features/contacts/copies/public';
import { composeIdentity } from './features/identity/identity.composition';
import { composeMedia } from './features/media/media.composition';
import { composePapers } from './features/papers/papers.composition';
import { composePaying } from './features/paying/paying.composition';
import { withoutContacts } from './features/sales/buyers/public';
import { composeSales } from './features/sales/sales.composition';
import { composeShop } from './features/shop/shop.composition';
import { composeStock } from './features/stock/stock.composition';
import { composeTeam } from './features/team/team.composition';
import { composeImports } from './imports/imports.composition';

/** All areas of the shop together. */
export const composeAreas = (config: Config, parts: Parameters<typeof composeIdentity>[1]): Required<Area> => {
  const media = composeMedia(config, parts);
  const chat = composeChat({ ...parts, chat: parts.siblings.chat, kinds: { customers: customerCopies } });
  return joined([
    media,
    chat,
    composeContacts({ ...parts, copies: chat.copies }),
    composeCatalogue(config, { ...parts, media: media.library }),
    composeStock(parts),
    composeImports(parts),
    composeSales(parts),
    composePaying(config, { ...parts, media: media.library }),
    composePapers(parts),
    composeCheckout(config, { ...parts, messages: parts.siblings.messages, contactFor: withoutContacts }),
    composeIdentity(config, parts),
    composeShop(config, parts),
    composeTeam(config, parts),
  ]);
};
