import { registrationsOf, type Service } from '@platform/http';

export interface ExampleCase {
  /** `POST /v1/chat_list: no such team`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly guard: string;
  readonly request: unknown;
  readonly status: number;
  readonly response: unknown;
}

/** Every example of every endpoint, variants included: what the documentation shows, to be asked of the real service. */
export const exampleCases = (service: Service): ExampleCase[] =>
  registrationsOf(service).flatMap(({ endpoint, path, guard }) =>
    (endpoint.examples ?? []).map(({ summary, request, status, response }) => ({
      name: `${endpoint.method.toUpperCase()} ${path}: ${summary}`,
      method: endpoint.method.toUpperCase(),
      path,
      guard: guard.label,
      request,
      status,
      response,
    })),
  );
