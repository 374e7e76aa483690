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

interface ShopParts {
  readonly t: Reader;
  readonly files: DocumentFiles;
  readonly title: string;
  /** Undefined: it is not known whose page this is. */
  readonly shop?: ShopFace;
  /** It is loaded as a whole, and stays as it is. */
  readonly isStill?: boolean | undefined;
  /** Where its address may be sent to others. */
  readonly preview?: Partial<Omit<Preview, 'site'>> | undefined;
  readonly children: ComponentChildren;
}

const chatWith = (phone: string): string => `https://wa.me/${phone.replace(/\D/g, '')}`;

/** A whole page for buyers: whose shop it is, what there is to do, and whom to ask. */
export const ShopDocument = ({ t, files, title, shop, isStill, preview, children }: ShopParts): JSX.Element => {
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
          {shop?.phone ? (
            <p class="shop-foot">
              <a class="link" href={chatWith(shop.phone)} rel="noreferrer">
                <Icon name="message-circle" />
                {t.buyer.ask}
              </a>
            </p>
          ) : null}
        </main>
      </Document>
    </Reading.Provider>
  );
};
