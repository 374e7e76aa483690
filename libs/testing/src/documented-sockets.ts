import type { SocketsDocument } from '@platform/http';
import type { JsonSchema } from '@platform/validation';
import type { ValidateFunction } from 'ajv/dist/2020';
import { keptValidator } from './kept-validator';

export interface SocketChecks {
  /** The mismatches of a received event with its description, or none; an event without one is a mismatch. */
  event(name: string, payload: unknown): string[];
  /** The same of the acknowledgement of a request. */
  answer(request: string, body: unknown): string[];
}

/** Objects hold declared members only, so that an undocumented member is noticed. */
const closed = (schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { ...schema, additionalProperties: false }]),
  );

/** Compares what sockets receive with the AsyncAPI description of their service, by ajv and not by our validation. */
export const documentedSockets = ({ operations, components }: SocketsDocument): SocketChecks => {
  const schemas = closed(components.schemas);
  const compiled = new Map<string, ValidateFunction>();
  const misfits = (message: string, value: unknown): string[] => {
    const payload = components.messages[message]?.payload;
    if (!payload) return [`${message} is not documented`];
    const validate = compiled.get(message) ?? keptValidator({ components: { schemas }, allOf: [payload] });
    compiled.set(message, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message: what, params }) =>
        `${message}${instancePath} ${what}${'additionalProperty' in params ? `: ${String(params.additionalProperty)}` : ''}`,
    );
  };
  return {
    event: (name, payload) =>
      operations[name]?.action === 'send' ? misfits(name, payload) : [`${name} is not a documented event`],
    answer: (request, body) => {
      const reply = operations[request]?.reply?.messages[0]?.$ref;
      return reply
        ? misfits(reply.slice(reply.lastIndexOf('/') + 1), body)
        : [`${request} is not a documented request`];
    },
  };
};

/** The part of a socket that matters here, in any version of socket.io's client. */
interface Listening {
  onAny(listener: (name: string, payload: unknown) => void): unknown;
  emitWithAck(request: string, ...payload: unknown[]): Promise<unknown>;
}

export interface SocketWatch {
  /** From now on compares what the socket receives, and the answers to its requests, with the description. */
  documented<S extends Listening>(socket: S): S;
  /** Mismatches since the last call: must be empty at the end of a suite. */
  misfits(): string[];
}

export const watchSockets = (document: SocketsDocument): SocketWatch => {
  const checks = documentedSockets(document);
  const found: string[] = [];
  return {
    documented: (socket) => {
      const ask = socket.emitWithAck.bind(socket);
      socket.onAny((name, payload) => void found.push(...checks.event(name, payload)));
      return Object.assign(socket, {
        emitWithAck: async (request: string, ...payload: unknown[]): Promise<unknown> => {
          const answer = await ask(request, ...payload);
          found.push(...checks.answer(request, answer));
          return answer;
        },
      });
    },
    misfits: () => found.splice(0),
  };
};
