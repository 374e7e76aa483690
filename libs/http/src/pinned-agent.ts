import { isIP } from 'node:net';
import { Agent } from 'undici';

/** Connects to the address that was checked, whatever the name resolves to by now; TLS and the Host header keep the name. */
export const pinnedAgent = (address: string): Agent =>
  new Agent({
    connect: {
      lookup: (_host, options, done) =>
        options.all ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address)),
    },
  });
