import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Assets } from '@platform/http';
import type { DocumentFiles, DocumentParts, OfficeFiles } from '../ui/document';
import type { OurPictures } from '../ui/picture';
import { lookOf } from './look';
import { assetNames, type AssetFiles, type AssetName, type OwnFiles } from './asset.names';

/** Not for bundlers to follow. */
const load = createRequire(__filename);
/** Made of the sources; a bundle has no such module, and needs none. */
const MAKER = join(__dirname, 'made.assets');

/** A bundle has them beside it; a workspace makes them, with tools that no image has. */
const filesOf = (): AssetFiles => {
  const bundled = join(__dirname, 'assets/web');
  if (!existsSync(bundled)) return (load(MAKER) as { makeAssets(): AssetFiles }).makeAssets();
  return Object.fromEntries(assetNames.map((name) => [name, readFileSync(join(bundled, name))])) as Record<
    AssetName,
    Buffer
  >;
};

/** It lies below `/assets`, and is to serve the pages beside it. */
const WORKER = { 'Service-Worker-Allowed': '/' };

/** The files of the pages, and the addresses that every page names. */
export class PageAssets {
  readonly served: Assets<AssetName>;

  /** What browsers install the back office by; `tells`: the page offers to tell of news. */
  officeOf(tells: true | undefined): OfficeFiles {
    const url = (name: AssetName) => this.served.url(name);
    // Browsers know an application by the address of its manifest: it is the same after a release
    return {
      manifest: '/assets/app.webmanifest',
      icon: url('icon-192.png'),
      script: tells && url('push.js'),
    };
  }

  constructor(
    private readonly pictures: OurPictures,
    make = filesOf,
  ) {
    this.served = new Assets<AssetName>('/assets', make, lookOf, { 'worker.js': WORKER });
  }

  /** Files that some pages have besides. */
  ownOf(name: OwnFiles | undefined): DocumentParts['own'] {
    if (name === undefined) return undefined;
    const [style, script] = [this.served.url(`${name}.css`), this.served.url(`${name}.js`)];
    return name === 'inbox' ? { style, script, later: this.served.url('voice.js') } : { style, script };
  }

  get files(): DocumentFiles {
    const url = (name: AssetName) => this.served.url(name);
    return {
      style: url('app.css'),
      shopStyle: url('shop.css'),
      htmx: url('htmx.js'),
      script: url('app.js'),
      sprite: url('icons.svg'),
      icon: url('icon.svg'),
      pictures: this.pictures,
    };
  }
}
