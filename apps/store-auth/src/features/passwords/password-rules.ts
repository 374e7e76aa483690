import { dictionary } from '@zxcvbn-ts/language-common';
import { InvalidInput } from '@platform/errors';

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

/** About 18,000 leaked passwords, in lower case: those long enough to be set at all. */
let common: ReadonlySet<string> | undefined;

const isCommon = (password: string): boolean => {
  common ??= new Set(dictionary['passwords-common'].filter((each) => each.length >= PASSWORD_MIN));
  return common.has(password.toLowerCase());
};

/**
 * Refuses a new password that attackers try first (NIST SP 800-63B 5.1.1.2). Its length is checked by the DTOs;
 * there are no composition rules. Throws `InvalidInput`.
 */
export const requireUncommon = (password: string): void => {
  if (!isCommon(password)) return;
  const message = 'password is one that many people use: choose another one';
  throw new InvalidInput([{ field: 'password', tag: 'common', message }]);
};
