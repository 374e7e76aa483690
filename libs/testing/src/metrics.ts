const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/**
 * What /metrics of a service under test shows now of the metrics with these names: `name{label="value"}` and its number, without
 * the label of the service, which all have.
 */
export const metricsOf = async (url: string, ...names: readonly string[]): Promise<Record<string, number>> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const shown = text.split('\n').flatMap((line): [string, number][] => {
    const [, name = '', labels = '', value] = LINE.exec(line) ?? [];
    if (!names.includes(name)) return [];
    const own = labels.replace(/,?service="[^"]*"/, '');
    return [[own ? `${name}{${own}}` : name, Number(value)]];
  });
  return Object.fromEntries(shown);
};
