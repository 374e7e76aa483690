import type { ComponentChildren, JSX } from 'preact';
import type { Reader } from '../i18n/reader';
import { Document, type DocumentFiles, type Preview } from './document';
import { Icon } from './icon';
import { Reading } from './reading';

/** The shop that a buyer's page belongs to. */
export interface ShopFace {
  readonly name: string;
  /** Where it is asked on WhatsApp; null: nowhere. */
  readonly phone?: string | null;
  readonly timezone?: string;
}

/** What is counted of a page: whose visit, and what beside it. */
export interface Counted {
  readonly slug: string;
  readonly event?: 'view_content';
}

/** Counts a visit; of somebody who has agreed it is known again where they came from. Asked where nobody has answered yet. */
const Counting = ({ t, counted: { slug, event } }: { readonly t: Reader; readonly counted: Counted }): JSX.Element => (
  <>
    <div class="panel consent" data-pixel-ask hidden>
      <p>{t.buyer.consent.ask}</p>
      <div class="row-actions">
        <button class="button" type="button" data-pixel-answer="no">
          {t.buyer.consent.no}
        </button>
        <button class="button" type="button" data-pixel-answer="yes">
          {t.buyer.consent.yes}
        </button>
      </div>
    </div>
    <script src={`/pixel.js?shop=${encodeURIComponent(slug)}`} data-event={event} defer />
  </>
);

interface ShopParts {
  readonly t: Reader;
  readonly files: DocumentFiles;
  readonly title: string;
  readonly counted?: Counted | undefined;
  /** Undefined: it is not known whose page this is. */
  readonly shop?: ShopFace;
  /** It is loaded as a whole, and stays as it is. */
  readonly isStill?: boolean | undefined;
  /** Where its address may be sent to others. */
  readonly preview?: Partial<Omit<Preview, 'site'>> | undefined;
  readonly children: ComponentChildren;
}

const chatWith = (phone: string): string => `https://wa.me/${phone.replace(/\D/g, '')}`;

const Foot = ({ t, phone }: Pick<ShopParts, 't'> & Pick<ShopFace, 'phone'>): JSX.Element | null =>
  phone ? (
    <p class="shop-foot">
      <a class="link" href={chatWith(phone)} rel="noreferrer">
        <Icon name="message-circle" />
        {t.buyer.ask}
      </a>
    </p>
  ) : null;

/** A whole page for buyers: whose shop it is, what there is to do, and whom to ask. */
export const ShopDocument = ({
  t,
  files,
  title,
  shop,
  counted,
  isStill,
  preview,
  children,
}: ShopParts): JSX.Element => {
  const name = shop?.name ?? t.app.name;
  return (
    <Reading.Provider value={t}>
      <Document
        lang={t.locale}
        title={`${title} · ${name}`}
        files={{ ...files, style: files.shopStyle, ...(isStill && { htmx: undefined }) }}
        kind="bare shop"
        preview={preview && { site: name, ...preview, title: preview.title ?? title }}
      >
        <main id="main" class="shop-main">
          <p class="narrow-brand" dir="auto">
            <span class="logo" aria-hidden="true">
              <Icon name="building-store" />
            </span>
            {name}
          </p>
          {children}
          <Foot t={t} phone={shop?.phone} />
          {counted === undefined ? null : <Counting {...{ t, counted }} />}
        </main>
      </Document>
    </Reading.Provider>
  );
};
