/** A hook of which nothing that happens in tests is news. */
const HOOK = { url: 'https://203.0.113.80/hook', events: ['withdrawal.paid'] };

type Make = (path: string, body: unknown) => Promise<{ readonly id: string }>;

/** A domain, a pixel and a webhook of a shop; the digits are its own. */
export const outsideOf = async (make: Make, digits: string) => {
  const domain = await make('/custom_domain', { host: `toko-${digits}.co.id` });
  const pixel = await make('/pixel', { kind: 'meta', pixel_ref: digits, events: ['purchase'] });
  return { domain: domain.id, pixel: pixel.id, webhook: (await make('/settings/webhooks', HOOK)).id };
};
