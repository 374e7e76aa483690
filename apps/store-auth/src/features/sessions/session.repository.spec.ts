import { expectNoSeqScan, explain, useDatabase } from '@platform/testing';
import { migrations, SCHEMA } from '../../data-source';
import { LIVE_SESSION, REVOKE_OF_STORE, REVOKE_OF_USER, REVOKE_ONE } from './session.repository';

const database = useDatabase({ schema: SCHEMA, migrations });

it('checking a token and ending a login use an index', async () => {
  const user = '0190b5a0-0000-7000-8000-000000000001';
  expectNoSeqScan(await explain(database, LIVE_SESSION, ['hash', 'S1']));
  expectNoSeqScan(await explain(database, REVOKE_ONE, [new Date(), 'hash']));
  expectNoSeqScan(await explain(database, REVOKE_OF_USER, [new Date(), user, 'S1', null]));
  expectNoSeqScan(await explain(database, REVOKE_OF_STORE, [new Date(), 'S1']));
});
