import { until } from '../../gateway.fixture';
import { CUSTOMER, useCloudGateway } from './cloud.fixture';

const { gateway, sandbox } = useCloudGateway();

it('a message that the database does not let go keeps its place before the next one of its chat, and leaves once', async () => {
  const { client, database } = gateway;
  await database.query(`
    CREATE SEQUENCE tries;
    CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.send_state = 'sending' AND nextval('tries') = 1 THEN RAISE EXCEPTION 'gone' USING ERRCODE = '08006'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER away BEFORE UPDATE ON message FOR EACH ROW EXECUTE FUNCTION away()`);
  const ids = [];
  for (const text of ['pertama', 'kedua'])
    ids.push(await client.data<{ id: string }>(client.send(`A-${text}`, CUSTOMER, text)));
  await until(
    () => sandbox.wa.store.sent.length,
    (sent) => sent === 2,
  );
  expect(sandbox.wa.store.sent.map(({ opaque }) => opaque)).toEqual(ids.map(({ id }) => id));
});
