import { secretBox } from '@platform/auth';
import type { Area, AreaParts } from '../../area';
import type { Sql } from '@platform/data';
import { byOf, type Writer } from '../../by';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import type { OrderPaid } from '../../jobs';
import type { Siblings } from '../../siblings.composition';
import { deliverPaid } from './deliveries/deliver';
import { deliveriesEndpoints } from './deliveries/deliveries.endpoints';
import { Downloads, downloadGuard } from './deliveries/download';
import { DownloadLinks } from './deliveries/download.links';
import { resend } from './deliveries/resend';
import type { SendChannel } from '../papers/sending/public';
import { ReadySender } from './deliveries/ready.sender';
import { digitalAbilities } from './digital.abilities';
import { DigitalFiles, type MediaLibrary, type PrivateFiles } from './files/files';
import { filesEndpoints } from './files/files.endpoints';
import { ProductWriteService } from '../catalogue/products/public';
import { downloadPage } from './deliveries/download.pages';
import { goodsEndpoints } from './goods/goods.endpoints';
import { goodsPages, type GoodsPageParts } from './goods/goods.pages';
import { GoodsService, type GoodsParts } from './goods/goods.service';
import { keysEndpoints } from './keys/keys.endpoints';
import { KeysService } from './keys/keys.service';

interface Parts extends AreaParts {
  readonly siblings: Pick<Siblings, 'messages'>;
  readonly mailer: Mailer;
  readonly catalogue: Pick<GoodsParts, 'listed'>;
  readonly media: { readonly library: MediaLibrary; readonly privately: PrivateFiles };
}

interface DigitalArea extends Area {
  /** Issues and sends another link of a delivery. */
  readonly resend: (tx: Sql, by: Writer, id: string, channel: SendChannel) => Promise<unknown>;
}

/** The services as they work in a transaction, or in those of their own. */
const insideOf = ({ library, privately }: Parts['media'], { listed }: Parts['catalogue']) => {
  const filesIn: GoodsPageParts['files'] = (sql) => new DigitalFiles(sql, library, privately);
  const goodsIn: GoodsPageParts['goods'] = (sql) =>
    new GoodsService({ database: sql, files: filesIn(sql), listed, products: new ProductWriteService(sql) });
  return { filesIn, goodsIn };
};

/** Downloads and licence keys: what is sold without a parcel. */
export const composeDigital = (
  { SHOP_SECRETS_KEY, PAY_LINK_SECRET, PUBLIC_URL: publicUrl = '' }: Config,
  { database, clock, logger, cursors, queue, mailer, media, catalogue, siblings: { messages } }: Parts,
): DigitalArea => {
  const box = secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const links = new DownloadLinks({ secret: `downloads of ${PAY_LINK_SECRET}`, publicUrl });
  const by = byOf(clock);
  const { filesIn, goodsIn } = insideOf(media, catalogue);
  const [files, goods] = [filesIn(database), goodsIn(database)];
  const keys = new KeysService({ database, cursors, box });
  const downloads = new Downloads({ database, clock, box, privately: media.privately });
  const sender = new ReadySender({ sql: database, clock, logger, box, links, mailer, messages });
  const resending = { queue, links, hasWhatsapp: messages !== undefined };
  const deliver = (paid: OrderPaid) => deliverPaid({ database, clock, queue, links }, paid);
  return {
    resend: (tx, of, id, channel) => resend(tx, of, resending, { id, channel }),
    endpoints: [
      // Fixed names before {id}
      ...deliveriesEndpoints(downloads, by, resending),
      ...goodsEndpoints(goods, by),
      ...filesEndpoints(files, by),
      ...keysEndpoints(keys, by),
    ],
    pages: [goodsPages({ database, clock, keys, goods: goodsIn, files: filesIn }), downloadPage(downloads)],
    components: [],
    abilities: digitalAbilities,
    guards: { download: downloadGuard },
    jobs: {
      'order.paid.digital': { effect: 'inside', run: deliver },
      'order.keys.digital': { effect: 'inside', run: deliver },
      'download.send': { effect: 'outside', run: (sending) => sender.send(sending) },
    },
  };
};
