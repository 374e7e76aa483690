// Stryker loads its plugins with import(), in processes of its own that know no TypeScript.
require('../../swc-hook.cjs');
const { SpecRunner } = require('./spec.runner.ts');

exports.strykerPlugins = [{ kind: 'TestRunner', name: 'fresh-modules', injectableClass: SpecRunner }];
exports.strykerValidationSchema = {
  properties: { specs: { type: 'string' }, notAsked: { type: 'array', items: { type: 'string' } } },
};
