// The tests of all projects of an Nx run, in one run of Jest: a worker that is free takes the next spec file of any project, so no
// core waits for the last file of a project. Nx still keeps and restores what became of each project. See docs/adr/0058.
const { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { dirname, join, sep } = require('node:path');
const { runCLI } = require('jest');
const { buildArgv } = require('jest-cli');
const { testTimeout, ...project } = require('../../jest.preset.cjs');

delete project.maxWorkers; // is said for a run, not for a project

/** One more than there are cores: specs wait for processes, polls and leases for a tenth to a half of their time. */
const maxWorkers = availableParallelism() + 1;

/** Jest takes several projects from a file only. */
const writeSettings = (root, folders) => {
  const projects = folders.map((folder) => ({ ...project, rootDir: join(root, folder), displayName: folder }));
  const file = join(root, '.test-results/suites.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ rootDir: root, maxWorkers, testTimeout, projects }));
  return file;
};

const sum = (files, member) => files.reduce((total, file) => total + file[member], 0);

/** Where ./environment.cjs says that a worker ended by itself, one JSON line each. */
const endsOf = (root) => join(root, '.test-results/ended-workers.jsonl');

/** Jest repeats the file that is under way when a worker ends, and calls it passed: here such an end is a failure of its file. */
const readEnds = (root) =>
  existsSync(endsOf(root))
    ? readFileSync(endsOf(root), 'utf8')
        .trim()
        .split('\n')
        .map((line) => ({ ...JSON.parse(line), assertionResults: [] }))
    : [];

/** What tools/stack reads of it: the part of `jest --json` that tells what was counted, what failed and how long each file took. */
const reportOf = (files, ends) => ({
  numPassedTests: sum(files, 'numPassingTests'),
  numFailedTests: sum(files, 'numFailingTests'),
  numPendingTests: sum(files, 'numPendingTests'),
  numTodoTests: sum(files, 'numTodoTests'),
  numRuntimeErrorTestSuites: files.filter(({ testExecError }) => testExecError).length + ends.length,
  testResults: [
    ...files.map(({ testFilePath, failureMessage, perfStats, testResults }) => ({
      name: testFilePath,
      message: failureMessage ?? '',
      startTime: perfStats.start,
      endTime: perfStats.end,
      assertionResults: testResults,
    })),
    ...ends,
  ],
});

const linesOf = (folder, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }, files, ends) =>
  [
    ...ends.map(({ name, message }) => `${name}: ${message}`),
    `${folder}: ${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed in ${files.length} files`,
    '',
  ].join('\n');

/** Writes the report of a project where its target says, and returns what Nx wants to know. */
const conclude = (root, folder, { files, ends }) => {
  const report = reportOf(files, ends);
  const file = join(root, '.test-results', `${folder}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(report));
  return {
    success: report.numFailedTests + report.numRuntimeErrorTestSuites === 0,
    terminalOutput: linesOf(folder, report, files, ends),
    startTime: Math.min(...files.map(({ perfStats }) => perfStats.start), Date.now()),
    endTime: Math.max(...files.map(({ perfStats }) => perfStats.end), 0) || Date.now(),
  };
};

/** Nx takes a process that ends with 0 and tells nothing for a success: one that ends in the middle of a run is none. */
const failUnlessTold = () => {
  const fail = () => {
    process.exitCode = 1;
  };
  process.on('exit', fail);
  return () => process.off('exit', fail);
};

/** Folder of each project -> what became of its tests. */
const run = async (given, folders, args) => {
  const told = failUnlessTold();
  const root = realpathSync(given); // as Jest names files
  process.env.NODE_ENV ??= 'test'; // as Jest's own program does
  process.env.JEST_ENDED_WORKERS = endsOf(root);
  for (const file of [endsOf(root), ...folders.map((folder) => join(root, '.test-results', `${folder}.json`))])
    rmSync(file, { force: true });
  const argv = await buildArgv([...args, '--passWithNoTests', `--config=${writeSettings(root, folders)}`]);
  const { results } = await runCLI(argv, [root]);
  const ends = readEnds(root);
  const of = (folder) => ({
    files: results.testResults.filter(({ testFilePath }) => testFilePath.startsWith(join(root, folder) + sep)),
    ends: ends.filter(({ name }) => name.startsWith(join(root, folder) + sep)),
  });
  told();
  return new Map(folders.map((folder) => [folder, conclude(root, folder, of(folder))]));
};

const unparsed = ({ __overrides_unparsed__: args = [] }) => args;

/** Nx gives the tasks of all projects that it could not restore. */
const together = async ({ tasks }, _options, overrides, { root }) => {
  const found = Object.values(tasks);
  const results = await run(
    root,
    found.map(({ projectRoot }) => projectRoot),
    unparsed(overrides),
  );
  return Object.fromEntries(found.map(({ id, projectRoot }) => [id, results.get(projectRoot)]));
};

/** The same for one project, with `--batch=false`. */
const alone = async (options, { root, projectName, projectsConfigurations }) => {
  const folder = projectsConfigurations.projects[projectName].root;
  return (await run(root, [folder], unparsed(options))).get(folder);
};

module.exports = { alone, together };
