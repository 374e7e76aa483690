import { withoutTurns } from '@platform/runtime';
import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { Sprite } from './icon';
import { Ours, previewUrl, type OurPictures } from './picture';

/** Addresses of the files that every page loads. */
export interface DocumentFiles {
  readonly style: string;
  readonly shopStyle: string;
  /** Undefined: no part of the page is asked for. */
  readonly htmx: string | undefined;
  readonly script: string;
  readonly sprite: string;
  readonly icon: string;
  readonly pictures: OurPictures;
}

/** What stands where the address of a page is sent to somebody (Open Graph, ogp.me). */
export interface Preview {
  readonly site: string;
  readonly title: string;
  readonly description?: string | undefined;
  /** Its whole address. */
  readonly picture?: string | undefined;
}

export interface OfficeFiles {
  readonly manifest: string;
  /** For phones that read no manifest. */
  readonly icon: string;
  /** Of pages that offer to tell their reader of news; undefined: this one does not. */
  readonly script: string | undefined;
}

export interface DocumentParts {
  readonly lang: string;
  readonly title: string;
  readonly files: DocumentFiles;
  readonly kind?: string;
  /** Of this page alone. */
  readonly own?: {
    readonly style: string;
    readonly script: string;
    /** A script that the page's own fetches when somebody needs it. */
    readonly later?: string;
  };
  /** What makes an application of the back office; buyers' pages have none. */
  readonly office?: OfficeFiles;
  readonly preview?: Preview | undefined;
  readonly children: ComponentChildren;
}

const VIEWPORT = 'width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content';
/** No style of htmx's own (the policy allows none), and back is asked for again. */
const HTMX = JSON.stringify({ includeIndicatorCSS: false, history: 'reload' });

const Htmx = ({ src }: { readonly src: string }): JSX.Element => (
  <>
    <meta name="htmx-config" content={HTMX} />
    <script src={src} defer />
  </>
);

const Office = ({ manifest, icon, script }: OfficeFiles): JSX.Element => (
  <>
    <link rel="manifest" href={manifest} />
    <link rel="apple-touch-icon" href={icon} />
    {script === undefined ? null : <script src={script} defer />}
  </>
);

const Previewed = ({ site, title, description, picture }: Preview): JSX.Element => {
  const ours = useContext(Ours);
  const image = picture && previewUrl(picture, ours);
  const told = { title, type: 'website', site_name: site, description, image };
  const said = Object.entries(told).flatMap(([name, content]) => (content ? [{ name, content }] : []));
  return (
    <>
      {description ? <meta name="description" content={description} /> : null}
      {said.map(({ name, content }) => (
        <meta property={`og:${name}`} content={content} />
      ))}
    </>
  );
};

/** What its parts know of the files: a fragment of a page knows it as the whole page does. */
export const Around = ({ files, children }: Pick<DocumentParts, 'files' | 'children'>): JSX.Element => (
  <Sprite.Provider value={files.sprite}>
    <Ours.Provider value={files.pictures}>{children}</Ours.Provider>
  </Sprite.Provider>
);

/** A whole page. */
export const Document = ({ lang, title, files, kind, own, office, preview, children }: DocumentParts): JSX.Element => (
  <Around files={files}>
    <html lang={lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content={VIEWPORT} />
        <title>{withoutTurns(title)}</title>
        {preview === undefined ? null : <Previewed {...preview} />}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={files.icon} />
        <link rel="stylesheet" href={files.style} />
        {files.htmx === undefined ? null : <Htmx src={files.htmx} />}
        <script src={files.script} defer />
        {own === undefined ? null : <link rel="stylesheet" href={own.style} />}
        {own === undefined ? null : <script src={own.script} data-later={own.later} defer />}
        {office === undefined ? null : <Office {...office} />}
      </head>
      <body class={kind}>{children}</body>
    </html>
  </Around>
);
