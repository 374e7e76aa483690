import { LruCache } from '@platform/runtime';
import { create } from 'qrcode';
import type { ComponentChildren, JSX } from 'preact';
import { lookUrl } from '../../../web/assets/look';
import type { Reader } from '../../../web/i18n/reader';
import { Icon, type IconName } from '../../../web/ui/icon';
import { initials } from '../../../web/ui/parts';
import { Picture } from '../../../web/ui/picture';
import type { StoredRow } from './biolinks.sql';
import type { BiolinkBlock, BlockKind } from './blocks.dto';
import { biolinkTexts } from './biolinks.texts';

export interface BioParts {
  readonly page: StoredRow;
  readonly blocks: readonly BiolinkBlock[];
  /** What goods are called, by the block; those that cannot be bought have no name. */
  readonly names: ReadonlyMap<string, string>;
  readonly t: Reader;
  /** A preview leads nowhere, so that looking at it counts nothing. */
  readonly isPreview?: true;
}
type BlockParts = Omit<BioParts, 'blocks'> & { readonly block: BiolinkBlock; readonly isDrawn?: boolean };

const ICONS: Partial<Readonly<Record<BlockKind, IconName>>> = {
  ...{ whatsapp: 'message-circle', product: 'package', checkout: 'shopping-cart', video: 'player-play' },
};
const NETWORKS = {
  ...{ facebook: 'Facebook', instagram: 'Instagram', linkedin: 'LinkedIn', telegram: 'Telegram' },
  ...{ threads: 'Threads', tiktok: 'TikTok', x: 'X', youtube: 'YouTube' },
} as const;
/** As people write it. */
export const networkName = (network: keyof typeof NETWORKS): string => NETWORKS[network];

const isGoods = ({ kind }: BiolinkBlock): boolean => kind === 'product' || kind === 'checkout';

/** Goods that cannot be bought any more are not shown. */
export const isShown = (block: BiolinkBlock, names: BioParts['names']): boolean =>
  block.active && (!isGoods(block) || names.has(block.id));

/** What a block says. */
export const nameOf = (block: BiolinkBlock, names: BioParts['names'], t: Reader): string => {
  const { title, url } = block.data;
  if (title !== undefined) return title;
  if (block.kind === 'video') return biolinkTexts(t).watch;
  return names.get(block.id) ?? (block.kind === 'qr' ? (url ?? '') : biolinkTexts(t).kinds[block.kind]);
};

interface ToParts extends Pick<BlockParts, 'page' | 'block' | 'isPreview'> {
  /** Which of several places of one block. */
  readonly nth?: number;
  readonly class: string;
  readonly children: ComponentChildren;
}

const To = ({ page, block, isPreview, nth, class: look, children }: ToParts): JSX.Element => {
  if (isPreview) return <span class={look}>{children}</span>;
  const to = nth === undefined ? '' : `?to=${nth}`;
  return (
    <a class={look} href={`/b/${page.slug}/go/${block.id}${to}`} rel="nofollow">
      {children}
    </a>
  );
};

/** Longer texts are drawn for nobody: a code of 2,000 characters takes a tenth of a second, and no camera reads it from a screen. */
const LONGEST_CODE = 300;
/** On one page; what stands below is a button alone. */
const MOST_CODES = 5;

interface Drawn {
  readonly size: number;
  readonly path: string;
}
const draw = (text: string): Drawn => {
  const { size, data } = create(text, { errorCorrectionLevel: 'L' }).modules;
  const dark = [...data.keys()].filter((at) => data[at]);
  return { size, path: dark.map((at) => `M${(at % size) + 4} ${Math.floor(at / size) + 4}h1v1h-1z`).join('') };
};
const drawn = new LruCache<string, Drawn>({ limit: 200 });
/** Each is drawn once, however many look at it. */
const codeOf = (text: string): Drawn | undefined => {
  if (text === '' || text.length > LONGEST_CODE) return undefined;
  const code = drawn.get(text) ?? draw(text);
  drawn.set(text, code);
  return code;
};

/** One path, dark on light in every scheme, as cameras need it. */
const Code = ({ text, label }: { readonly text: string; readonly label: string }): JSX.Element | null => {
  const code = codeOf(text);
  if (!code) return null;
  const { size, path } = code;
  return (
    <svg class="bio-code" viewBox={`0 0 ${size + 8} ${size + 8}`} role="img" aria-label={label}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};

const Block = (parts: BlockParts): JSX.Element => {
  const { block, names, isDrawn, t } = parts;
  const name = nameOf(block, names, t);
  const icon = ICONS[block.kind];
  if (block.kind === 'heading') return <h2 dir="auto">{name}</h2>;
  if (block.kind === 'social')
    return (
      <p class="bio-social">
        {block.data.links?.map(({ network }, nth) => (
          <To {...parts} nth={nth} class="button look-button">
            {networkName(network)}
          </To>
        ))}
      </p>
    );
  return (
    <>
      {isDrawn ? <Code text={block.data.url ?? ''} label={biolinkTexts(t).scan({ name })} /> : null}
      <To {...parts} class="button bio-button look-button">
        {icon === undefined ? null : <Icon name={icon} />}
        <bdi>{name}</bdi>
      </To>
    </>
  );
};

/** A page of links, as everybody sees it. */
export const Bio = ({ blocks, ...parts }: BioParts): JSX.Element => {
  const { page, names, isPreview } = parts;
  const look = lookUrl(page.theme);
  const Title = isPreview ? 'p' : 'h1';
  const shown = blocks.filter((block) => isShown(block, names));
  const codes = shown.filter(({ kind }) => kind === 'qr').slice(0, MOST_CODES);
  return (
    <div class="look bio">
      <link rel="stylesheet" href="/assets/market.css" />
      {look === undefined ? null : <link rel="stylesheet" href={look} />}
      {page.avatar_url === null ? (
        <span class="bio-avatar" aria-hidden="true">
          {initials(page.title)}
        </span>
      ) : (
        <Picture class="bio-avatar" url={page.avatar_url} isFirst sizes="96px" width={96} height={96} />
      )}
      <Title class="bio-title" dir="auto">
        {page.title}
      </Title>
      {page.bio === null ? null : (
        <p class="prose" dir="auto">
          {page.bio}
        </p>
      )}
      {shown.map((block) => (
        <Block {...parts} block={block} isDrawn={codes.includes(block)} />
      ))}
    </div>
  );
};
