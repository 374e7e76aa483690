import type { MutantCoverage, StrykerOptions } from '@stryker-mutator/api/core';
import type {
  DryRunResult,
  MutantRunOptions,
  MutantRunResult,
  MutantRunStatus,
  TestResult,
  TestRunner,
} from '@stryker-mutator/api/test-runner';
import { environment } from '@platform/runtime';
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import 'reflect-metadata';
import { FreshModules } from './fresh-modules';
import { declareOnly, provideGlobals, runSpec, type Outcome } from './spec.run';

/** The global through which instrumented code and its runner communicate. */
interface Switch {
  activeMutant?: string;
  currentTestId?: string;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: MutantCoverage;
}

/** Timeout of a test, in addition to twenty times its former duration: the machine may be busy. */
const PATIENCE_MS = 5_000;
/** Tests that took less run first. */
const QUICK_MS = 500;
/** A failure after more than this must be reproduced: a busy machine may have caused it. */
const WAITED_MS = 3_000;
const LONGEST_MS = 60_000;
const DURATIONS = '.durations.json';
const SURVIVED = 'survived' as MutantRunStatus.Survived;
const NAMESPACE = '__stryker__';
const ACTIVE_MUTANT = '__STRYKER_ACTIVE_MUTANT__';

const resultOf = (fileName: string, { failure, ...test }: Outcome): TestResult =>
  failure === undefined
    ? { ...test, fileName, status: 0 as never }
    : { ...test, fileName, status: 1 as never, failureMessage: failure };

const passed = ({ failure }: Outcome): boolean => failure === undefined;

/** Counts code that the hooks of a spec ran as covered by each of its tests. */
const shareOfHooks = ({ perTest }: MutantCoverage, hooks: string, ids: readonly string[]): void => {
  const shared = perTest[hooks];
  delete perTest[hooks];
  for (const [mutant, hits] of Object.entries(shared ?? {}))
    for (const id of ids) {
      const own = (perTest[id] ??= {});
      own[mutant] = (own[mutant] ?? 0) + hits;
    }
};

/**
 * Runs only the specs whose tests cover a mutant, in one process, and reloads the workspace's modules each time. Stryker's own
 * jest runner loads every related spec and all its packages for each mutant, which takes seconds.
 */
export class SpecRunner implements TestRunner {
  static readonly inject = ['options'];
  private readonly copy = realpathSync(process.cwd());
  private readonly modules = new FreshModules(this.copy);
  private readonly specs: readonly string[];
  /** Written by the process of the dry run, read by all. */
  private readonly durations = join(this.copy, DURATIONS);
  private took: Record<string, number> | undefined;
  private readonly switch: Switch = ((globalThis as Record<string, unknown>)[NAMESPACE] = {});

  constructor(options: StrykerOptions) {
    const { specs: folder, notAsked } = options as unknown as { specs: string; notAsked: readonly string[] };
    const files = readdirSync(join(this.copy, folder), { recursive: true, encoding: 'utf8' });
    this.specs = files
      .filter((file) => file.endsWith('.spec.ts'))
      .map((file) => join(folder, file))
      .filter((file) => !notAsked.includes(file))
      .sort();
    Object.assign(environment, { NODE_ENV: 'test', FORCE_COLOR: '0' });
    provideGlobals();
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun(): Promise<DryRunResult> {
    const coverage: MutantCoverage = (this.switch.mutantCoverage = { static: {}, perTest: {} });
    const tests: TestResult[] = [];
    const took: Record<string, number> = {};
    for (const spec of this.specs) {
      const hooks = `hooks of ${spec}`;
      // Code that runs while the sources load is static; code that runs while the spec loads counts for its tests
      this.switch.currentTestId = undefined;
      declareOnly(() => this.modules.load(join(this.copy, spec)));
      this.switch.currentTestId = hooks;
      const load = () => this.modules.loadAgain(join(this.copy, spec));
      const onTest = (id: string | undefined) => (this.switch.currentTestId = id ?? hooks);
      const began = Date.now();
      const outcomes = await runSpec({
        ...{ spec, load, onTest },
        wants: () => true,
        patience: () => LONGEST_MS,
        bail: false,
      });
      for (const { id, timeSpentMs } of outcomes) took[id] = timeSpentMs;
      took[spec] = Date.now() - began;
      shareOfHooks(
        coverage,
        hooks,
        outcomes.map(({ id }) => id),
      );
      tests.push(...outcomes.map((outcome) => resultOf(join(this.copy, spec), outcome)));
    }
    writeFileSync(this.durations, JSON.stringify(took));
    return { status: 'complete' as never, tests, mutantCoverage: coverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    Object.assign(this.switch, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit ? 0 : undefined });
    environment[ACTIVE_MUTANT] = activeMutant.id;
    try {
      const met = new Set(testFilter);
      const took = (this.took ??= JSON.parse(readFileSync(this.durations, 'utf8')) as Record<string, number>);
      const specs = this.specs
        .filter((spec) => !testFilter || testFilter.some((id) => id.startsWith(`${spec} `)))
        .sort((one, other) => (took[one] ?? 0) - (took[other] ?? 0));
      const quick = (id: string) => (took[id] ?? 0) < QUICK_MS;
      const turns: ((id: string) => boolean)[] = testFilter
        ? // Last the tests that do not cover the mutant themselves: they may use state that it produced
          [(id) => met.has(id) && quick(id), (id) => met.has(id) && !quick(id), (id) => !met.has(id)]
        : [() => true];
      for (const wants of turns) {
        const result = await this.firstFailure(specs, took, wants);
        if (result.status !== SURVIVED) return result;
      }
      return { status: SURVIVED, nrOfTests: met.size };
    } finally {
      this.switch.activeMutant = '';
      delete environment[ACTIVE_MUTANT];
    }
  }

  private async firstFailure(
    specs: readonly string[],
    took: Readonly<Record<string, number>>,
    wants: (id: string) => boolean,
  ): Promise<MutantRunResult> {
    const patience = (id: string) => PATIENCE_MS + 20 * (took[id] ?? 0);
    let nrOfTests = 0;
    for (const spec of specs) {
      if (!Object.keys(took).some((id) => id.startsWith(`${spec} `) && wants(id))) continue;
      const run = (which: (id: string) => boolean) => {
        const load = () => this.modules.load(join(this.copy, spec));
        return runSpec({ spec, load, wants: which, patience, bail: true, onTest: () => undefined });
      };
      const began = Date.now();
      const outcomes = await run(wants);
      nrOfTests += outcomes.length;
      const { hitCount = 0, hitLimit = Infinity } = this.switch;
      if (hitCount > hitLimit) return { status: 'timeout' as never, reason: `hit ${hitCount} times` };
      const broken = outcomes.find(({ failure }) => failure !== undefined);
      if (!broken) continue;
      const { id, failure = '' } = broken;
      const hasWaited = Date.now() - began > WAITED_MS;
      if (hasWaited && (await run((each) => each === id || (id === spec && wants(each)))).every(passed)) continue;
      return { status: 'killed' as never, killedBy: [id], failureMessage: failure, nrOfTests };
    }
    return { status: SURVIVED, nrOfTests };
  }
}
