import { dictionary } from '@zxcvbn-ts/language-common';
import { InvalidInput } from '@platform/errors';

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

/** About 18,000: the leaked passwords that are long enough to be set at all, in lower case. */
let common: ReadonlySet<string> | undefined;

const isCommon = (password: string): boolean => {
  common ??= new Set(dictionary['passwords-common'].filter((each) => each.length >= PASSWORD_MIN));
  return common.has(password.toLowerCase());
};

/**
 * A password that is about to be set: not one that everybody tries first (NIST SP 800-63B 5.1.1.2). Its length is a rule of
 * the DTOs; there are no rules about what it is made of. Throws `InvalidInput`.
 */
export const requireUncommon = (password: string): void => {
  if (!isCommon(password)) return;
  const message = 'password is one that many people use: choose another one';
  throw new InvalidInput([{ field: 'password', tag: 'common', message }]);
};
