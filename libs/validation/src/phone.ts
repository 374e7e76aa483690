/** Digits of a number in international form (E.164 without its plus): 7 to 15, no leading 0. */
export const PHONE = /^[1-9]\d{6,14}$/;

/** In Indonesia no number begins with the 0 that is dialled at home, which people write behind the country's code all the same. */
const HOME_ZERO = /^620+/;

/**
 * A phone number as people write it, as the digits of its international form: `0812-3456-789`, `+62 812 3456 789` and
 * `+62 (0)812 3456789` are `628123456789`. A leading 0 stands for `countryCode`, 00 for the plus (E.123). Undefined when it is none. Numbering plans
 * of countries are not checked: only the network knows whether the number exists.
 */
export const phoneDigits = (text: string, countryCode = '62'): string | undefined => {
  const digits = text.replace(/[\s+\-()[\].]/g, '');
  const significant = digits.startsWith('00') ? digits.slice(2) : digits;
  const international = significant.startsWith('0') ? countryCode + significant.slice(1) : significant;
  const known = international.replace(HOME_ZERO, '62');
  return PHONE.test(known) ? known : undefined;
};
