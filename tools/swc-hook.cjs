// Lets plain `node -r ./tools/swc-hook.cjs file.ts` run TypeScript, compiled by swc with the workspace's one .swcrc.
// Compiled text is kept under node_modules/.cache/swc by content, so a second start compiles nothing.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const config = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
const { version } = require('@swc/core/package.json');
const cache = join(root, 'node_modules/.cache/swc');
const salt = `${version}${JSON.stringify(config)}`;
mkdirSync(cache, { recursive: true });
process.setSourceMapsEnabled(true);

const compiled = (filename) => {
  const source = readFileSync(filename, 'utf8');
  const file = join(cache, `${createHash('sha1').update(salt).update(filename).update(source).digest('hex')}.js`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const { code } = require('@swc/core').transformSync(source, { ...config, swcrc: false, filename });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, code);
    renameSync(fresh, file); // several services start at once: a reader never sees half a file
    return code;
  }
};

for (const extension of ['.ts', '.tsx'])
  require.extensions[extension] = (module, filename) => {
    process.setSourceMapsEnabled(true);
    module._compile(compiled(filename), filename);
  };

// Node reads the map of a file when it loads the file: those of packages, which nobody looks at, took a tenth of a start.
const load = require.extensions['.js'];
require.extensions['.js'] = (module, filename) => {
  process.setSourceMapsEnabled(false);
  try {
    load(module, filename);
  } finally {
    process.setSourceMapsEnabled(true);
  }
};
