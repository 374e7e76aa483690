import { parser } from '@prometheus-io/lezer-promql';

/** What a PromQL expression reads. */
export interface Expression {
  /** Every selector: its metric, and the labels that it compares. */
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** Labels that it groups or joins by. */
  readonly grouping: readonly string[];
}

/** Reads an expression with Prometheus's own grammar; throws where it breaks it. */
export const readExpression = (text: string): Expression => {
  const selectors: { metric: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      const said = text.slice(from, to);
      if (type.isError) throw new Error(`not PromQL at ${from}: ${text.slice(from, from + 40)}`);
      if (type.name === 'VectorSelector') {
        const name = node.getChild('Identifier');
        selectors.push({ metric: name ? text.slice(name.from, name.to) : '', labels: [] });
      }
      if (type.name !== 'LabelName') return;
      if (node.parent?.type.name === 'GroupingLabels') grouping.push(said);
      else selectors.at(-1)?.labels.push(said);
    },
  });
  return { selectors, grouping };
};
