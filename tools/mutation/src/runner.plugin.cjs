// Stryker loads its plugins with import(), in child processes without TypeScript.
require('../../swc-hook.cjs');
const { SpecRunner } = require('./spec.runner.ts');

exports.strykerPlugins = [{ kind: 'TestRunner', name: 'fresh-modules', injectableClass: SpecRunner }];
exports.strykerValidationSchema = {
  properties: { specs: { type: 'string' }, notAsked: { type: 'array', items: { type: 'string' } } },
};
