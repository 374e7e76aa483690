import { hostname } from 'node:os';
import { loadConfig } from '@platform/runtime';
import { replicaAddress } from './replica-address';
import { commonSettings } from './run';

it.each([
  ['what is said', { POD_ADDRESS: 'http://pod-1:9/', POD_IP: '10.1.2.3' }, 'http://pod-1:9'],
  ['the address of the pod', { POD_IP: '10.1.2.3' }, 'http://10.1.2.3:3000'],
  ['the internal port of the pod', { POD_IP: '10.1.2.3', INTERNAL_PORT: '3100' }, 'http://10.1.2.3:3100'],
  ['an IPv6 address in brackets', { POD_IP: 'fd00::7' }, 'http://[fd00::7]:3000'],
  ['the address that it listens at', { HOST: '127.0.0.1' }, 'http://127.0.0.1:3000'],
  ['the name of the host', {}, `http://${hostname()}:3000`],
])('a replica is reached under %s', (_, environment, address) => {
  expect(replicaAddress(loadConfig(commonSettings(3000), environment))).toBe(address);
});
