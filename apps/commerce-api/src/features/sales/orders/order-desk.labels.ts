import type { Reader } from '../../../web/i18n/reader';
import { pickingTexts } from '../picking/public';
import { deskTexts } from './order-desk.texts';

/** Inputs of the form of an order. */
export const deskLabels = (t: Reader) => {
  const say = deskTexts(t);
  return {
    ...{ items: say.goods, 'items[][variant_id]': say.goods, 'items[][qty]': pickingTexts(t).quantity },
    ...{ contact: say.buyer, 'contact[name]': say.name, 'contact[phone]': say.phone, 'contact[email]': say.email },
    ...{ address: say.address, 'address[line]': say.line, 'address[district]': say.district },
    ...{ 'address[city]': say.city, 'address[province]': say.province, 'address[postcode]': say.postcode },
    ...{ shipping: say.shipping, 'shipping[method_id]': say.shipping, 'shipping[option]': say.shipping },
    ...{ payment_method: say.method, coupon: say.coupon },
  };
};
