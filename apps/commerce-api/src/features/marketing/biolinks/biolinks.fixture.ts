import { uuidv7 } from '@platform/runtime';
import type { OwnStore } from '../../../asked.fixture';
import type { Biolink } from './biolinks.dto';
import type { BiolinkBlock } from './blocks.dto';

export const PERSON =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36';
/** A slug that nobody has. */
export const newSlug = (): string => `b-${uuidv7()}`;

/** A page of a store. */
export const newPage = async ({ ask }: Pick<OwnStore, 'ask'>, more: object = {}): Promise<Biolink> => {
  const { status, body } = await ask<Biolink>('POST', '/biolink', { slug: newSlug(), title: 'Toko Nusa', ...more });
  if (status !== 201) throw new Error(`${status} ${body.message}`);
  return body.data;
};

/** A block of a page: a link, unless told otherwise. */
export const newBlock = async (
  { ask }: Pick<OwnStore, 'ask'>,
  pageId: string,
  block: object = { kind: 'link', data: { title: 'Katalog', url: 'https://toko.example/' } },
): Promise<BiolinkBlock> => {
  const { status, body } = await ask<BiolinkBlock>('POST', `/biolink/${pageId}/links`, block);
  if (status !== 201) throw new Error(`${status} ${body.message}`);
  return body.data;
};
