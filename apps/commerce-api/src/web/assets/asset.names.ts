export const assetNames = [
  'app.css',
  'app.js',
  'shop.css',
  'inbox.css',
  'inbox.js',
  'voice.js',
  'market.css',
  'market.js',
  'pixel.js',
  'widget.js',
  'htmx.js',
  'icons.svg',
  'icon.svg',
  'push.js',
  'worker.js',
  'app.webmanifest',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable.png',
] as const;
export type AssetName = (typeof assetNames)[number];
/** Pages that have files of their own. */
export type OwnFiles = 'inbox' | 'market';
export type AssetFiles = Readonly<Record<AssetName, Buffer | string>>;
