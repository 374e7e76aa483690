// Ends what keeps a spec file alive after its last test. Packages are loaded once a worker (./runtime.cjs), and what they remember for
// good, for a process that has one service all its life, would be one service more with each spec file: its modules (ten megabytes that
// every full collection walks), its timers and its metrics, until the worker is busy with little else.
const { dirname, join } = require('node:path');
const perfHooks = require('node:perf_hooks');
const { clearInterval } = require('node:timers');

/**
 * Node keeps a monitor of the event loop for good; one that is enabled wakes the worker a hundred times a second. prom-client makes one for
 * each service: here all of them share one.
 */
const monitors = new Map();
const { monitorEventLoopDelay } = perfHooks;
perfHooks.monitorEventLoopDelay = ({ resolution = 10 } = {}) => {
  if (!monitors.has(resolution)) monitors.set(resolution, monitorEventLoopDelay({ resolution }));
  return monitors.get(resolution);
};
perfHooks.monitorEventLoopDelay(); // before any spec file, which it would keep

/** prom-client has each collection of the heap told to every service that ever was. */
const observers = new Set();
perfHooks.PerformanceObserver = class extends perfHooks.PerformanceObserver {
  observe(...given) {
    observers.add(this);
    super.observe(...given);
  }
};
const disconnectObservers = () => {
  for (const observer of observers) observer.disconnect();
  observers.clear();
};

/** graphile-worker remembers the options of every runner, and so its service; a fresh copy of the module knows of none. */
const runners = join(dirname(require.resolve('graphile-worker')), 'taskIdentifiers.js');
const forgetRunners = () => {
  const loaded = require.cache[runners];
  if (!loaded) return;
  delete require.cache[runners];
  Object.assign(loaded.exports, require(runners));
  require.cache[runners] = loaded;
  module.children.pop(); // where Node keeps the copy
};

/** socket.io never ends the interval of a server. */
const intervalsOf = () => {
  const { setInterval } = globalThis;
  const begun = [];
  const counting = (...given) => {
    const interval = setInterval(...given);
    begun.push(interval);
    return interval;
  };
  globalThis.setInterval = Object.defineProperties(counting, Object.getOwnPropertyDescriptors(setInterval));
  return () => {
    for (const interval of begun) clearInterval(interval);
  };
};

/**
 * Whatever Node keeps that was made in a test knows the test or hook (`AsyncLocalStorage`), and that by its function and by where it was
 * written the whole file.
 */
const forgetTests = ({ hooks, tests, children }) => {
  for (const each of [...hooks, ...tests]) Object.assign(each, { fn: undefined, asyncError: undefined });
  for (const child of children) if (child.type === 'describeBlock') forgetTests(child);
};

/** From the first test of a file on; the function that is returned, given Jest's tree of its tests, ends what it has left. */
module.exports.leftBehind = () => {
  const endIntervals = intervalsOf();
  return (suites) => {
    endIntervals();
    disconnectObservers();
    forgetRunners();
    if (suites) forgetTests(suites);
  };
};
