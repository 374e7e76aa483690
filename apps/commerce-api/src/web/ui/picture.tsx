import { createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { Icon } from './icon';
import { hasRenditions, RENDITIONS, renditionNames, type RenditionName } from '../../renditions';

/** Where pictures of ours lie, so that those of others are told from them. */
export interface OurPictures {
  /** Of the pages; empty: addresses are paths. */
  readonly publicUrl: string;
  /** Of a bucket that everybody reads; undefined: they lie on a disk. */
  readonly bucketUrl: string | undefined;
}
export const Ours = createContext<OurPictures>({ publicUrl: '', bucketUrl: undefined });

const below = (url: string, places: readonly string[]): string | undefined => {
  const place = places.find((each) => url.startsWith(each));
  return place && `/blob/${url.slice(place.length)}`;
};
const onDisk = (url: string, { publicUrl }: OurPictures) => below(url, [`${publicUrl}/blob/`, '/blob/']);

/** The path at which sizes of a picture are asked for, on whichever host a page is; undefined: there are none of it. */
const pathOf = (url: string, ours: OurPictures): string | undefined => {
  if (!hasRenditions(url)) return undefined;
  const { bucketUrl } = ours;
  return onDisk(url, ours) ?? (bucketUrl === undefined ? undefined : below(url, [`${bucketUrl}/public/`]));
};

/** The whole address of a picture as those know it who show previews of links: small, and in a format that all of them read. */
export const previewUrl = (url: string, ours: OurPictures): string => {
  const path = pathOf(url, ours);
  return path === undefined || ours.publicUrl === '' ? url : `${ours.publicUrl}${path}?as=j640`;
};

interface PictureParts {
  readonly url: string;
  /** As CSS says it: `(min-width: 700px) 320px, 50vw`. */
  readonly sizes: string;
  readonly width: number;
  readonly height: number;
  readonly class?: string;
  /** It is seen before anybody scrolls. */
  readonly isFirst?: boolean;
}

const candidates = (path: string): string =>
  renditionNames
    .filter((name) => RENDITIONS[name].mimetype === 'image/webp')
    .map((name) => `${path}?as=${name} ${RENDITIONS[name].width}w`)
    .join(', ');
const FALLBACK: RenditionName = 'j640';

/** A picture beside words that say what it is: no larger over the line than it is shown, where it is one of ours. */
export const Picture = ({ url, sizes, width, height, isFirst = false, class: look }: PictureParts): JSX.Element => {
  const path = pathOf(url, useContext(Ours));
  const shown = { class: look, alt: '', width, height, loading: isFirst ? 'eager' : 'lazy' } as const;
  const urgent = isFirst ? ({ fetchpriority: 'high' } as const) : {};
  if (path === undefined) return <img {...shown} {...urgent} src={url} />;
  return (
    <picture>
      <source type="image/webp" srcset={candidates(path)} sizes={sizes} />
      <img {...shown} {...urgent} src={`${path}?as=${FALLBACK}`} />
    </picture>
  );
};

/** A small picture in a list of the back office. Its policy lets in what comes from us alone: an icon stands for any other. */
export const Thumb = ({ url }: { readonly url: string }): JSX.Element => {
  const ours = useContext(Ours);
  const path = pathOf(url, ours) ?? onDisk(url, ours);
  return (
    <span class="thumb" aria-hidden="true">
      {path === undefined ? <Icon name="photo" /> : <Picture url={path} sizes="48px" width={48} height={48} />}
    </span>
  );
};
