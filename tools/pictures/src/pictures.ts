// `npm run pictures`: how the pages of the running platform look, to be looked at after a change.
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { environment } from '@platform/runtime';
import { requireStackFile } from '@platform/stack/stack-file';
import { dataFolder, shown } from '@platform/stack/workspace';
import { chromium } from 'playwright-core';
import { SCHEMES, takePictures, WIDTHS } from './take';

const USAGE = [
  'usage: npm run pictures [-- <folder>]\n',
  `Pictures of the main pages, ${WIDTHS.join(' and ')} pixels wide, ${SCHEMES.join(' and ')}, into the folder (usually pictures in the data folder,`,
  'which git ignores). The platform must run (npm start). It takes the browser that CHROMIUM_PATH names, or a Chromium on the PATH.',
].join('\n');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const findBrowser = (): string => {
  const { CHROMIUM_PATH, PATH = '' } = environment;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const found = PATH.split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(existsSync);
  if (found) return found;
  throw new Error(`There is no ${NAMES.join(', ')} on the PATH: install one, or set CHROMIUM_PATH to a browser.`);
};

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help || positionals.length > 1) return console.log(USAGE);
  const data = dataFolder(environment);
  const { services, demo } = requireStackFile(data);
  const [folder = join(data, 'pictures')] = positionals;
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const url = services['commerce-api'] ?? '';
    const place = { url, storefront: `${url}/s/${demo.commerce.slug}`, owner: demo.owner };
    const files = await takePictures(browser, place, folder, (page) => console.log(`  ${page}`));
    console.log(`${files.length} pictures are in ${shown(folder)}`);
  } finally {
    await browser.close();
  }
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
