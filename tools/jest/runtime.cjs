// Reduces what a spec file costs before its first test. Jest isolates the files: for each it reads, compiles and runs every
// module again, including packages, which took longer than the tests. Here a worker
// - loads a package once, with Node's own `require`, as production does,
// - compiles a file of the workspace once, but runs it for each spec file, so that our modules start with fresh state.
// Needs ./environment.cjs, in which everything runs in the single realm of the worker.
const { createRequire, isBuiltin } = require('node:module');
const { dirname, isAbsolute, sep } = require('node:path');
const { compileFunction, constants } = require('node:vm');
const Runtime = require('jest-runtime').default;

const isFile = (name) => name.startsWith('.') || isAbsolute(name);

const found = new Map();
/** Node's own `require` of a package from a folder; undefined for packages of the workspace, which are sources. */
const foreign = (folder, name) => {
  const key = `${folder} ${name}`;
  if (found.has(key)) return found.get(key);
  const require = createRequire(`${folder}/`);
  const path = pathOf(require, name);
  found.set(key, path?.includes(`${sep}node_modules${sep}`) ? () => require(path) : undefined);
  return found.get(key);
};

const pathOf = (require, name) => {
  try {
    return require.resolve(name);
  } catch {
    return undefined; // Jest finds it, or reports better what is missing
  }
};

/** Source and compiled code by file. The source is compared, because files change during watch mode. */
const compiled = new Map();

module.exports = class SharingRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    this.transformOnce();
    this.compileOnce();
  }

  transformOnce() {
    const { transformCache } = this;
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (file, options) => {
      const source = transformCache.fileCache.readFile(file);
      const known = compiled.get(file);
      if (known?.source === source) {
        if (known.sourceMap) transformCache.sourceMaps.set(file, known.sourceMap);
        return known.code;
      }
      const code = transform(file, options);
      compiled.set(file, { source, code, sourceMap: transformCache.sourceMaps.get(file) });
      return code;
    };
  }

  compileOnce() {
    const { executor } = this;
    executor.compile = (code, filename) => {
      const known = compiled.get(filename);
      return (known.run ??= compileFunction(code, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      }));
    };
  }

  requireModule(from, name, options, isRequireActual) {
    const outside = name && !options?.isInternalModule && !isFile(name) && !isBuiltin(name);
    const load = outside ? foreign(dirname(from), name) : undefined;
    return load ? load() : super.requireModule(from, name, options, isRequireActual);
  }
};
module.exports.default = module.exports; // where Jest looks for it
