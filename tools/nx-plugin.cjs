// Gives every project its targets, so that a project's package.json holds a name, tags and dependencies and nothing else.
// A folder under apps/ can also be served and built. https://nx.dev/docs/extending-nx/project-graph-plugins
const { dirname, basename } = require('node:path');
const { existsSync } = require('node:fs');

const inputs = ['default', '^default'];
const run = (command, extra = {}) => ({
  executor: 'nx:run-commands',
  options: { command, cwd: '{workspaceRoot}' },
  ...extra,
});

const targetsOf = (root, workspaceRoot) => {
  const targets = {
    lint: run(`eslint ${root}`, { cache: true, inputs }),
    typecheck: run(`tsc -p ${root}/tsconfig.json --tsBuildInfoFile .nx/tsc/${root}.tsbuildinfo`, {
      cache: true,
      inputs,
    }),
    test: {
      executor: '.:suites', // of ./jest/executors.json, which the root's package.json names
      cache: true,
      inputs: [
        ...inputs,
        { env: 'REDIS_URL' },
        { env: 'CHROMIUM_PATH' },
        { env: 'AXE' },
        { env: 'PGBOUNCER' },
        { env: 'TEST_DATABASE_URL' }, // another server than the one from npm
        { env: 'TEST_PROGRAMS' }, // other bundles than those of the run
        { env: 'TEST_SCRIPTS' },
        { env: 'UPDATE_EXAMPLES' },
        { runtime: 'node --version' },
      ],
      outputs: [`{workspaceRoot}/.test-results/${root}.json`],
    },
  };
  if (root.startsWith('apps/') && existsSync(`${workspaceRoot}/${root}/src/main.ts`)) {
    targets.serve = run(`exec node tools/run.mjs serve ${basename(root)}`, { continuous: true });
    targets.build = run(`exec node tools/run.mjs build ${basename(root)}`, {
      cache: true,
      inputs: [...inputs, { runtime: 'node --version' }], // the code cache is for one version
      outputs: [`{workspaceRoot}/dist/${root}`],
    });
  }
  // One process for all: each project alone would parse and check the libraries again, which takes six times as long.
  if (root === 'tools/checks') {
    targets['lint-all'] = run('eslint apps libs tools', { cache: true, inputs });
    targets['typecheck-all'] = run('tsc -p tsconfig.json --tsBuildInfoFile .nx/tsc/all.tsbuildinfo', {
      cache: true,
      inputs,
    });
  }
  return targets;
};

/** @type {import('nx/src/project-graph/plugins').CreateNodes} */
const createNodes = [
  '{apps,libs,tools,tools/sandboxes}/*/package.json',
  (files, _options, { workspaceRoot }) =>
    files.map((file) => {
      const root = dirname(file);
      return [file, { projects: { [root]: { root, targets: targetsOf(root, workspaceRoot) } } }];
    }),
];

module.exports = { name: 'platform-targets', createNodes, createNodesV2: createNodes };
