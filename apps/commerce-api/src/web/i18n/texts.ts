import { catalogue } from './catalogue';
import { en } from './en';
import { id } from './id';

export type { Texts } from './id';

/** What every page says. */
export const textsOf = catalogue(id, en);
