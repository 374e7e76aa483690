import { createHash } from 'node:crypto';
import type { PixelFact, PixelKind } from './pixel.port';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const GOOGLE_MAIL = /^([^@]+)@(gmail\.com|googlemail\.com)$/;

/** Google takes the dots out of its own addresses before it hashes them. */
const emailFor = (kind: PixelKind, email: string): string => {
  const plain = email.trim().toLowerCase();
  const own = kind === 'google' ? GOOGLE_MAIL.exec(plain) : null;
  return own ? `${own[1]?.replaceAll('.', '')}@${own[2]}` : plain;
};

/** Meta hashes the digits with their country; TikTok and Google E.164 with its plus sign. */
const phoneFor = (kind: PixelKind, phone: string): string => {
  const digits = phone.replaceAll(/\D/g, '').replace(/^0+/, '');
  return kind === 'meta' ? digits : `+${digits}`;
};

/**
 * The hashes of a person as the network wants them normalised: Meta
 * https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/customer-information-parameters, TikTok
 * https://business-api.tiktok.com/portal/docs?id=1771101151059969, Google
 * https://developers.google.com/analytics/devguides/collection/ga4/uid-data
 */
export const hashedFor = (
  kind: PixelKind,
  { email, phone }: { readonly email?: string | null | undefined; readonly phone?: string | null | undefined },
): Pick<PixelFact, 'email' | 'phone'> => ({
  ...(email && { email: sha256(emailFor(kind, email)) }),
  ...(phone && { phone: sha256(phoneFor(kind, phone)) }),
});
