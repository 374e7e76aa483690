/** The match of a path, with the still encoded segments in place of the template's parameters. */
export interface Found<T> {
  readonly value: T;
  readonly segments: readonly string[];
}

interface Node<T> {
  readonly children: Map<string, Node<T>>;
  /** The child for any segment; a literal child is preferred. */
  any?: Node<T>;
  value?: T;
}

const emptyNode = <T>(): Node<T> => ({ children: new Map() });

/**
 * Templates with parameters, found segment by segment: the time depends on the length of a path, not on the number of
 * routes, where Express tries one pattern after the other. A literal segment wins over a parameter, whatever was added first;
 * adding a template again replaces its value.
 */
export class RouteTree<T> {
  private readonly root = emptyNode<T>();

  add(template: string, value: T): void {
    let at = this.root;
    for (const segment of template.split('/')) at = this.childOf(at, segment);
    at.value = value;
  }

  find(path: string): Found<T> | undefined {
    const segments: string[] = [];
    const value = this.walk(this.root, path.split('/'), 0, segments);
    return value === undefined ? undefined : { value, segments };
  }

  private childOf(node: Node<T>, segment: string): Node<T> {
    if (segment.startsWith('{')) return (node.any ??= emptyNode<T>());
    const known = node.children.get(segment);
    if (known) return known;
    const made = emptyNode<T>();
    node.children.set(segment, made);
    return made;
  }

  private walk(node: Node<T>, parts: readonly string[], at: number, segments: string[]): T | undefined {
    const part = parts[at];
    if (part === undefined) return node.value;
    const literal = node.children.get(part);
    const found = literal && this.walk(literal, parts, at + 1, segments);
    if (found !== undefined || !node.any || part === '') return found;
    segments.push(part);
    const onward = this.walk(node.any, parts, at + 1, segments);
    if (onward === undefined) segments.pop();
    return onward;
  }
}
