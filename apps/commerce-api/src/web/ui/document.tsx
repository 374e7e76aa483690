import type { ComponentChildren, JSX } from 'preact';
import { Sprite } from './icon';

/** Addresses of the files that every page loads. */
export interface DocumentFiles {
  readonly style: string;
  readonly shopStyle: string;
  readonly htmx: string;
  readonly script: string;
  readonly sprite: string;
  readonly icon: string;
}

export interface DocumentParts {
  readonly lang: string;
  readonly title: string;
  readonly files: DocumentFiles;
  readonly kind?: string;
  /** Of this page alone. */
  readonly own?: { readonly style: string; readonly script: string };
  readonly children: ComponentChildren;
}

const VIEWPORT = 'width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content';
/** No style of htmx's own (the policy allows none), and back is asked for again. */
const HTMX = JSON.stringify({ includeIndicatorCSS: false, history: 'reload' });

/** A whole page. */
export const Document = ({ lang, title, files, kind, own, children }: DocumentParts): JSX.Element => (
  <Sprite.Provider value={files.sprite}>
    <html lang={lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content={VIEWPORT} />
        <title>{title}</title>
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX} />
        <link rel="icon" href={files.icon} />
        <link rel="stylesheet" href={files.style} />
        <script src={files.htmx} defer />
        <script src={files.script} defer />
        {own === undefined ? null : <link rel="stylesheet" href={own.style} />}
        {own === undefined ? null : <script src={own.script} defer />}
      </head>
      <body class={kind}>{children}</body>
    </html>
  </Sprite.Provider>
);
