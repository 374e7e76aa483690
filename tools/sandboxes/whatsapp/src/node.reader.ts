import type { BinaryNode } from './library';

export const children = (node: BinaryNode | undefined, tag?: string): BinaryNode[] =>
  Array.isArray(node?.content) ? node.content.filter((child) => tag === undefined || child.tag === tag) : [];

export const child = (node: BinaryNode | undefined, tag: string): BinaryNode | undefined => children(node, tag)[0];

/** The content as bytes, although the codec decodes short digit strings to text. */
export const bytes = (node: BinaryNode | undefined): Buffer =>
  node?.content === undefined || Array.isArray(node.content) ? Buffer.alloc(0) : Buffer.from(node.content);

export const text = (node: BinaryNode | undefined): string => bytes(node).toString('utf8');

export const element = (
  tag: string,
  attrs: Record<string, string | undefined> = {},
  content?: BinaryNode['content'],
): BinaryNode => ({
  tag,
  attrs: Object.fromEntries(Object.entries(attrs).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  ...(content === undefined ? {} : { content }),
});
