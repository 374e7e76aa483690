import type { SecretBox } from '@platform/auth';
import type { Database } from '@platform/data';
import { area, dataOf, listOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { methodRefusals, type Gateways } from './method.rules';
import { MethodBody, MethodView } from './methods.dto';
import { changeMethod, methodsOf } from './methods.sql';

interface Parts {
  readonly database: Database;
  readonly by: ReturnType<typeof byOf>;
  readonly box: SecretBox;
  readonly gateways: Gateways;
}

export const methodsEndpoints = ({ database, by, box, gateways }: Parts): Endpoint[] =>
  area({ prefix: '/api/payment/methods', tag: 'E-commerce' }, [
    endpoint({
      get: '',
      summary: 'Payment methods and their state',
      guard: 'payment.read',
      reply: listOf(MethodView),
      refuses: [],
      handle: ({ caller }) => methodsOf(database, caller.storeId, gateways),
    }),
    endpoint({
      put: '/{code}',
      summary: 'Enable method, credentials, fee bearer',
      description: 'Codes: `cash`, `transfer`, `cod`, and the gateways `a`, `b`, `c`.',
      guard: 'payment.settings',
      body: MethodBody,
      reply: dataOf(MethodView, 'Payment method updated'),
      refuses: ['notFound', methodRefusals.noProvider, methodRefusals.accountInUse],
      handle: (input) =>
        database.tx((tx) => changeMethod(tx, { by: by(input), box, gateways }, input.params.code, input.body)),
    }),
  ]);
