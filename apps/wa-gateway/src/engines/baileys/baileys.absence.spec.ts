import { useGateway } from '../../gateway.fixture';

jest.mock('./baileys.library', () => ({ isInstalled: () => false }));

const gateway = useGateway();

describe('without the optional package', () => {
  it('a device on baileys is refused with the reason, and the other engines work', async () => {
    const { client } = gateway;
    expect(await client.post('/api/new', { instanceID: 'b1', engine: 'baileys' })).toEqual({
      status: 501,
      body: {
        success: false,
        message: 'engine does not support baileys: package not installed',
        error: { code: 'UNSUPPORTED', retryable: false },
      },
    });
    await client.link('s1');
    expect(await client.get('/api/device-info?instanceID=s1')).toMatchObject({
      body: { data: { status: 'connected' } },
    });
  });
});
