import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { AssetFiles } from './asset.names';
import { iconSprite } from './icons.sprite';
import { appManifest } from './app.manifest';

/** In the order in which a stylesheet's layers are declared; each part of the look is a file of its own. */
const OFFICE = ['base', 'parts', 'figures', 'form', 'table', 'desk', 'shell'] as const;
/** Buyers come once, on a phone: they load nothing of the back office. */
const SHOP = ['base', 'parts', 'form', 'shell', 'shop'] as const;

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6b45"/><path d="M9 12h14l-1.5 12h-11zM12 12a4 4 0 0 1 8 0" fill="none" stroke="#fff" stroke-width="2.2"/></svg>';

const styles = (names: readonly string[]): string => {
  const source = names.map((name) => readFileSync(join(__dirname, `../ui/${name}.css`), 'utf8')).join('\n');
  const { outputFiles } = buildSync({
    ...{ stdin: { contents: source, loader: 'css' }, minify: true, write: false, legalComments: 'none' },
    target: ['chrome111', 'firefox113', 'safari16.4'],
  });
  return outputFiles[0]?.text ?? '';
};

type Script = 'app' | 'inbox' | 'voice' | 'market' | 'pixel' | 'widget' | 'push' | 'worker';
const script = (name: Script, define = {}): string => {
  const { outputFiles } = buildSync({
    ...{
      entryPoints: [join(__dirname, `${name}.browser.ts`)],
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
    },
    target: ['chrome111', 'firefox113', 'safari16.4'],
    tsconfigRaw: '{}',
    define,
  });
  return outputFiles[0]?.text ?? '';
};

const nearby = (name: string): Buffer => readFileSync(join(__dirname, name));

/** The page that is shown while there is no network lies in the worker itself: nothing is kept in a cache for it. Its style is allowed by its hash. */
const worker = (): string => {
  const page = String(nearby('offline.html')).replace(/\n\s*/g, '');
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
  const hash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
  return script('worker', { OFFLINE_PAGE: JSON.stringify(page), OFFLINE_STYLE: JSON.stringify(hash) });
};

/** The files of the pages, made from their sources: at a start from the sources, and once for each bundle (`tools/stack`). */
export const makeAssets = (): AssetFiles => ({
  'app.css': styles(OFFICE),
  'shop.css': styles(SHOP),
  'inbox.css': styles(['inbox']),
  'market.css': styles(['market']),
  'app.js': script('app'),
  'inbox.js': script('inbox'),
  'voice.js': script('voice'),
  'market.js': script('market'),
  'pixel.js': script('pixel'),
  'widget.js': script('widget'),
  'htmx.js': readFileSync(require.resolve('htmx.org/dist/htmx.min.js')),
  'icons.svg': iconSprite(),
  'icon.svg': LOGO,
  'push.js': script('push'),
  'worker.js': worker(),
  'app.webmanifest': appManifest(),
  'icon-192.png': nearby('icon-192.png'),
  'icon-512.png': nearby('icon-512.png'),
  'icon-maskable.png': nearby('icon-maskable.png'),
});
