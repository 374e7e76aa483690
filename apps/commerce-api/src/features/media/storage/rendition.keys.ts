import { hasRenditions, renditionNames, type RenditionName } from '../../../renditions';
import type { ObjectStore } from './object.store';

const ENDING = /\.[a-z0-9]+$/;
const ORIGINALS = ['jpg', 'png', 'webp'];

/** Where a rendition lies: beside its original, and called as that is. */
export const renditionKey = (original: string, name: RenditionName): string => original.replace(ENDING, `.${name}`);

const renditionKeys = (original: string): string[] =>
  hasRenditions(original) ? renditionNames.map((name) => renditionKey(original, name)) : [];

/** What a file is there for: itself, or the originals of which it may be a rendition. */
export const originalsOf = (key: string): string[] =>
  renditionNames.some((name) => key.endsWith(`.${name}`))
    ? ORIGINALS.map((extension) => key.replace(ENDING, `.${extension}`))
    : [key];

/** Removes a file with all that was made of it. */
export const deleteWhole = async (store: Pick<ObjectStore, 'delete'>, key: string): Promise<void> => {
  await Promise.all([key, ...renditionKeys(key)].map((each) => store.delete(each)));
};
