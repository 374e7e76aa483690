import { listeners } from './free-ports';
import { portBase, portsFrom } from './ports';
import { dataFolder, workspaceRoot } from './workspace';

describe('ports of a stack', () => {
  it('are those of the architecture by default', () => {
    expect(portsFrom(portBase(undefined))).toEqual({
      base: 3000,
      services: {
        'store-auth': 3001,
        'chat-backend': 3002,
        'bot-engine': 3003,
        'wa-gateway': 3004,
        'commerce-api': 3005,
        'ads-api': 3006,
      },
      sandboxes: {
        push: 3100,
        graph: 3101,
        llm: 3102,
        doku: 3103,
        xendit: 3104,
        duitku: 3105,
        rajaongkir: 3106,
        mail: 3107,
        whatsapp: 3108,
      },
      postgres: 3054,
      redis: 3063,
      pgbouncer: 3064,
      smtp: 3025,
    });
  });

  it('all move with PORT_BASE, and stacks 200 apart share none', () => {
    const [one, other] = [3000, 3200].map((base) => listeners(portsFrom(base), true).map(([, port]) => port));
    expect(one?.map((port) => port + 200)).toEqual(other);
    expect(one?.filter((port) => other?.includes(port))).toEqual([]);
    expect(new Set(one).size).toBe(one?.length);
  });

  it.each(['abc', '80', '65100', '3000.5'])('refuse PORT_BASE=%s with what it should be', (text) => {
    expect(() => portBase(text)).toThrow(
      'PORT_BASE must be a whole number from 1024 to 65000: all ports are counted from it.',
    );
  });
});

describe('the data folder', () => {
  it.each([
    [{}, '.data'],
    [{ PORT_BASE: '3000' }, '.data'],
    [{ PORT_BASE: '4000' }, '.data-4000'],
    [{ PORT_BASE: '4000', DATA_DIR: '/tmp/somewhere' }, '/tmp/somewhere'],
    [{ DATA_DIR: 'beside' }, 'beside'],
  ])('of %j is %s', (environment, folder) => {
    expect(dataFolder(environment)).toBe(folder.startsWith('/') ? folder : `${workspaceRoot}/${folder}`);
  });
});
