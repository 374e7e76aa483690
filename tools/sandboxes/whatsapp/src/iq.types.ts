import type { Connection } from './connection';
import type { BinaryNode } from './library';
import type { Device } from './network';
import { element } from './node.reader';

export interface IqRequest {
  readonly connection: Connection;
  readonly device: Device;
  readonly node: BinaryNode;
  /** The first child, whose tag chose the handler; undefined for a request without content. */
  readonly body: BinaryNode | undefined;
}

/** What the answer contains; the router adds id and addresses. */
export type IqHandler = (request: IqRequest) => BinaryNode[];

/** By `xmlns/type/first child`. */
export type IqHandlers = Readonly<Record<string, IqHandler>>;

export const iqError = (code: string, text: string): BinaryNode[] => [element('error', { code, text })];
